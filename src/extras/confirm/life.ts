import { wait } from '../../core/clock'
import { onAbort, abortWith } from '../../core/signals'
import { revokeTokens } from '../../session/sign-out'
import { memoryTokens } from '../../session/token-store'
import { coreOf, type Core, type Kit } from '../../store/kit-parts'
import { createKit } from '../../kit/create-kit'
import { Observable, Subscription } from 'rxjs'
import { sessionChanged } from '../../session/identity'
import type { Owner } from '../../transport/access-token'

/** A kit of the same project with a session of its own, in memory: it shares no cookie, channel or note with `core`'s. */
export function kitBeside({ transport, clock, host, navigation, oauthScopes, onUnhandled }: Core): Kit {
  const { config, fetch, attemptTimeoutMillis } = transport
  const { projectId, publishableClientKey, baseUrl, extraHeaders } = config
  return createKit({
    ...{ projectId, publishableClientKey, baseUrl, extraHeaders },
    ...{ fetch, attemptTimeoutMillis, clock, oauthScopes, onUnhandled },
    tokens: memoryTokens(),
    // `sessionStorage` has the note of this tab's sign-in, which the second kit must not share.
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
function endBeside({ session, clock }: Core, beside: Kit): void {
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

/** While `owner` is signed in and the kit lives. */
export interface Life {
  readonly gone: AbortSignal
  end(): void
}

/** Watches the session until `end`. */
export function lifeOf({ session, committedSession }: Core, owner: Owner): Life {
  const gone = new AbortController()
  const watching = new Observable<never>(subscriber => {
    committedSession.listen(subscriber, () => {
      if (session.identity.owner !== owner) subscriber.complete()
    })
  }).subscribe({
    complete() {
      abortWith(gone, session.ended.aborted ? session.ended.reason : sessionChanged())
    },
  })
  return {
    gone: gone.signal,
    end() {
      watching.unsubscribe()
    },
  }
}

/** Long enough for one request to the app's backend. */
const confirmationMillis = 60_000

/** Ends the session of `beside` when it is over, and `life`. */
export function keepForAWhile(core: Core, beside: Kit, life: Life): void {
  let isOver = false
  const leaving = new Subscription()
  const end = () => {
    if (isOver) return
    isOver = true
    cancel()
    leaving.unsubscribe()
    life.gone.removeEventListener('abort', end)
    life.end()
    endBeside(core, beside)
  }
  const cancel = core.clock.setTimeout(end, confirmationMillis, { keepAlive: false })
  life.gone.addEventListener('abort', end)
  // The page may be hidden already.
  leaving.add(
    core.host.shown$?.subscribe(isShown => {
      if (!isShown) end()
    }),
  )
  if (life.gone.aborted) end()
}

/** Waits for `step`, then ends the session that it has begun. */
export function drop(core: Core, beside: Kit, step: Promise<unknown>): void {
  const end = () => {
    endBeside(core, beside)
  }
  if (core.session.ended.aborted) end()
  else void step.then(end, end)
}
