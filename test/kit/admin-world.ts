import { createClientApp, createOwnedProject, memoryTokens, type ClientApp } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { world } from '../world'

export const mary = { email: 'mary@example.com', password: 'correct horse' }

/** A platform, the owner of a project on it, and the headers of every request. */
export async function ownerWorld() {
  const one = await world()
  const sent: Headers[] = []
  const refusals: string[] = []
  const { fetch } = one.platform.options
  const newOwner = (tokens = memoryTokens()) =>
    createClientApp({
      ...one.platform.ownerOptions,
      tokens,
      fetch(input, init) {
        const headers = new Headers(init?.headers)
        sent.push(headers)
        const code = headers.has('x-stack-admin-access-token') ? refusals.shift() : undefined
        return code ? Promise.resolve(refusalOf(code)) : fetch(input, init)
      },
    })
  const owner = newOwner()
  await one.inTime(signUp(owner, mary))
  const { id: projectId } = await one.inTime(createOwnedProject(owner, { displayName: 'Shop' }))
  const admin = createAdminApp({ owner, projectId })
  sent.length = 0
  const refuse = (code: string) => refusals.push(code)
  return { ...one, newOwner, owner, admin, projectId, sent, refuse }
}

export function refusalOf(code: string): Response {
  const headers = { 'x-stack-known-error': code, 'x-stack-actual-status': '401' }
  return Response.json({ code, error: 'no', details: { expired_at_millis: 0 } }, { headers })
}

export function signUp(app: ClientApp, person: { readonly email: string; readonly password: string }) {
  return app.signUpWithPassword({ ...person, verificationCallbackUrl: 'http://localhost/verify' })
}
