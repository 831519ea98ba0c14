import { Observable, type Subscriber } from 'rxjs'
import { wait } from '../../core/clock'
import { onAbort } from '../../core/signals'
import type { Result } from '../../core/result'
import { unlessAborted, isAuthError, type AuthErrorOf } from '../../errors/auth-error'
import { auth$ } from '../../entities/users/auth'
import { coreOf, slot, type Kit } from '../../store/kit-parts'
import { passkeyFactor, setUp } from './passkey'
import type { PasskeyInput } from './authenticator'
import { passkeyTurns } from './turns'
import type { SignedIn } from '../answers'

/** A challenge lives for 65 s; some of them are left to the user after choosing. */
const renewMillis = 55_000
/** After a failure no caller waits for an answer, so the retry can be slow. */
const retryMillis = 1000
const maxRetryMillis = 60_000

type Filled = Result<SignedIn, AuthErrorOf<'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>>

/**
 * Sign-ins by a passkey chosen among the suggestions of a form field (`autocomplete="username webauthn"`).
 *
 * Armed while there are subscribers and no user is signed in; a button's ceremony suspends it. Emits a sign-in, or that a
 * second factor is needed; refusals, time-outs and network failures arm it anew. Never errors; emits nothing in browsers
 * without support. Subscribers share one ceremony, that of the first one.
 *
 * @example
 * app.passkeyAutofill$().subscribe(result => void app.navigateAfterAuth(result))
 */
export function passkeyAutofill$(kit: Kit, input: PasskeyInput = {}): Observable<Filled> {
  return new Observable(subscriber => slot(kit, autofillKey, () => new Autofill(kit)).join(subscriber, input))
}

const autofillKey = {}

class Autofill {
  readonly #kit: Kit
  readonly #subscribers = new Set<Subscriber<Filled>>()
  #life: AbortController | undefined

  constructor(kit: Kit) {
    this.#kit = kit
  }

  join(subscriber: Subscriber<Filled>, input: PasskeyInput): () => void {
    const { session } = coreOf(this.#kit)
    const complete = () => {
      subscriber.complete()
    }
    const forget = onAbort(session.ended, complete)
    this.#subscribers.add(subscriber)
    if (!this.#life) {
      const life = (this.#life = new AbortController())
      // Ends with its signal; errors are handled inside.
      void this.#run(input, life.signal).catch(() => undefined)
    }
    return () => {
      forget()
      this.#subscribers.delete(subscriber)
      if (this.#subscribers.size > 0) return
      this.#life?.abort()
      this.#life = undefined
    }
  }

  async #run(input: PasskeyInput, signal: AbortSignal): Promise<void> {
    const kit = this.#kit
    const { clock } = coreOf(kit)
    const { authenticator, site } = setUp(kit, input)
    for (let failures = 0; !signal.aborted;) {
      const filled = await passkeyTurns(kit).wait(signal, async round => {
        let stopRenewing: (() => void) | undefined
        try {
          // Asked each time: it loads code, which fails while the device is offline.
          const supported = Promise.resolve(authenticator.supportsAutofill?.() ?? true)
          if (!(await unlessAborted(supported, round.signal))) return null
          // Checked in its turn, because the button's ceremony before it may have signed in.
          await this.#untilNobodyIsSignedIn(round)
          stopRenewing = clock.setTimeout(() => round.abort(), renewMillis, { keepAlive: false })
          return await passkeyFactor(kit, authenticator, site, { signal: round.signal }, { autofill: true })
        } catch {
          return round.signal.aborted ? 'called off' : 'failed'
        } finally {
          stopRenewing?.()
          round.abort()
        }
      })
      if (!filled) return
      if (filled === 'called off') continue
      if (filled !== 'failed' && (filled.ok || isAuthError(filled.error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'))) {
        failures = 0
        // The code tells the two errors apart.
        for (const subscriber of [...this.#subscribers]) subscriber.next(filled as Filled)
        continue
      }
      // With backoff: a browser may refuse at once every time.
      const millis = Math.min(retryMillis * 2 ** failures++, maxRetryMillis)
      await wait(clock, millis, signal)
    }
  }

  /** From then on a sign-in, also of another tab, calls the round off. */
  #untilNobodyIsSignedIn(round: AbortController): Promise<void> {
    let isArmed = false
    const nobody = new Promise<void>(resolve => {
      const watching = auth$(this.#kit).subscribe(({ status }) => {
        if (status === 'signed-out' || status === 'anonymous') {
          isArmed = true
          resolve()
        } else if (isArmed) round.abort()
      })
      onAbort(round.signal, () => {
        watching.unsubscribe()
      })
    })
    return unlessAborted(nobody, round.signal)
  }
}
