import type { Identity } from './identity'
import type { TokenSession } from './token-session'

/** The identity of a new write; throws if its request may not write with the session. */
export function captureToWrite(session: TokenSession): Promise<Identity> {
  session.store.assertOwn?.()
  return session.capture()
}
