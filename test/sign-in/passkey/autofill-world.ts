import { passkeyAutofill$, type PasskeyAuthenticator, type PasskeyCeremony } from 'rxauth'
import { ada, world } from '../../world'

export const hostname = 'localhost'

export interface Waiting extends PasskeyCeremony {
  readonly choose: () => void
  readonly fail: (name: string) => void
}

/** A world in which Ada's device offers its passkey to form fields. */
export async function device() {
  const config = { passkeyEnabled: true, magicLinkEnabled: true }
  const inner = await world({ platform: { seed: { project: { config }, users: [{ ...ada, verified: true }] } } })
  const software = inner.platform.authenticator()
  await inner.settled(inner.app.registerPasskey({ hostname, authenticator: software }))
  const waiting: Waiting[] = []
  const asked: Waiting[] = []
  const authenticator: PasskeyAuthenticator = {
    create: (...all) => software.create(...all),
    get: (options, ceremony) => {
      if (!ceremony.autofill) return software.get(options, ceremony)
      return new Promise((resolve, reject) => {
        const end = (run: () => void) => {
          waiting.splice(waiting.indexOf(one), 1)
          run()
        }
        const one: Waiting = {
          ...ceremony,
          choose: () => end(() => resolve(software.get(options, ceremony))),
          fail: name => end(() => reject(new DOMException('no', name))),
        }
        waiting.push(one)
        asked.push(one)
        ceremony.signal.addEventListener('abort', () => one.fail('AbortError'))
      })
    },
  }
  inner.requests.length = 0
  const app = inner.newApp()
  const input = { hostname, authenticator }
  return { ...inner, app, input, waiting, asked, autofill$: passkeyAutofill$(app, input) }
}
