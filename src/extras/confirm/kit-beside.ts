import { wait } from '../../core/clock'
import { onAbort } from '../../core/signals'
import { revokeTokens } from '../../session/sign-out'
import { memoryTokens } from '../../session/token-store'
import { coreOf } from '../../store/core'
import type { Core } from '../../store/core'
import type { Kit } from '../../store/kit'
import { createKit } from '../../kit/create-kit'

/** A kit of the same project with a session of its own, in memory: it shares no cookie, channel or note with `core`'s. */
export function kitBeside({ transport, clock, host, navigation, oauthScopes, onUnhandled }: Core): Kit {
  const { config, fetch, attemptTimeoutMillis } = transport
  const { projectId, publishableClientKey, baseUrl, extraHeaders } = config
  return createKit({
    ...{ projectId, publishableClientKey, baseUrl, extraHeaders },
    ...{ fetch, attemptTimeoutMillis, clock, oauthScopes, onUnhandled },
    tokens: memoryTokens(),
    // The note of the sign-in in this tab is there.
    host: { ...host, sessionStorage: forgetful },
    urls: navigation.urls,
    trustedDomains: navigation.trustedDomains,
    navigate: 'none',
  })
}

const forgetful = { getItem: () => null, setItem() {}, removeItem() {} }

/** How long the end of its session may take after the disposal of the kit beside it. */
const lastMillis = 2000

/** Ends the session on the platform, even while the page unloads, and disposes of the kit. */
export function endBeside({ session, clock }: Core, beside: Kit): void {
  const { session: own } = coreOf(beside)
  const { tokens } = own
  if (!tokens) {
    beside.dispose()
    return
  }
  const over = new AbortController()
  const limit = async () => {
    await new Promise<void>(resolve => {
      if (session.ended.aborted) resolve()
      else onAbort(over.signal, onAbort(session.ended, resolve))
    })
    await wait(clock, lastMillis, over.signal)
  }
  // A failure leaves a session whose tokens are gone.
  void Promise.race([revokeTokens(own, tokens), limit()])
    .catch(() => undefined)
    .finally(() => {
      over.abort()
      beside.dispose()
    })
}
