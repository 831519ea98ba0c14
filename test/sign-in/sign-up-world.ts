import { answered, intercept } from '../session/intercept'
import { ada, world } from '../world'

export const mary = { email: 'mary@example.com', password: 'correct horse' }

/** A signed-out kit, its requests, and the refusal of its next sign-up, once. */
export async function signedOut(refusal?: {
  readonly status: number
  readonly code: string
  readonly details: object
}) {
  const inner = await world({
    platform: { wire: '2026', seed: { users: [ada], project: { config: { magicLinkEnabled: true } } } },
  })
  const bodies: unknown[] = []
  let left = refusal
  const fetch = intercept(inner.platform.options.fetch, async request => {
    if (request.method !== 'POST') return undefined
    bodies.push(await request.json())
    const { status, code, details } = left ?? {}
    left = undefined
    return code === undefined ? undefined : answered(status!, { code, error: 'Told.', details }, code)
  })
  return { ...inner, app: inner.newApp({ fetch }), bodies }
}
