import type { OpenedWindow } from '../core/host'
import { onAbort } from '../core/on-abort'
import type { Result } from '../core/result'
import { AuthError } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import type { PendingOAuth } from './oauth-cookie'
import { finishOAuth } from './oauth-finish'
import { openLine } from './oauth-line'
import type { OAuthFailure } from './oauth-refusal'
import type { SignedIn } from './signed-in'

/** A flow in another window, as the page that has begun it waits for it. */
interface Return {
  /** What the sign-in comes to here. Rejects with TIMED_OUT, and with ABORTED if the window has gone on by itself. */
  readonly outcome: Promise<Result<SignedIn, OAuthFailure>>
  /** The caller waits no longer. The page still takes what the window comes back with, for as long as the platform does. */
  giveUp(): void
}

/** No flow comes back later than this after its start. */
const lateMillis = 600_000

/**
 * The end of the flow that `popup` has been opened for, finished on this page as soon as the window hands it over: then the
 * window has nothing left, and a caller who gives up at that moment must not take it along.
 */
export function returnOf(
  kit: Kit,
  state: string,
  pending: PendingOAuth,
  popup: OpenedWindow,
  limitMillis: number,
): Return {
  const { clock, session, onUnhandled } = coreOf(kit)
  let isAwaited = true
  let isOver = false
  let cancelTimer = () => {}
  let stop = () => {}

  const outcome = new Promise<Result<SignedIn, OAuthFailure>>((resolve, reject) => {
    const line = openLine(
      kit,
      state,
      () => popup,
      message => {
        if (message.step === 'offer') line.post({ step: 'ready' })
        if (message.step === 'kept') {
          stop()
          reject(new AuthError('ABORTED', 'the sign-in goes on in its own window: this page did not answer it in time'))
        }
        if (message.step !== 'arrived') return
        line.post({ step: 'got' })
        stop()
        popup.close()
        // A refusal answers nothing that is still asked.
        if (!isAwaited && message.arrived.error) return
        const finishing = finishOAuth(kit, pending, message.arrived)
        finishing.catch((error: unknown) => {
          if (!isAwaited && !session.ended.aborted) onUnhandled(error)
        })
        resolve(finishing)
      },
    )
    const forget = onAbort(session.ended, () => stop())
    stop = () => {
      isOver = true
      cancelTimer()
      forget()
      line.close()
    }
    if (limitMillis < Infinity)
      cancelTimer = clock.setTimeout(() => {
        reject(
          new AuthError('TIMED_OUT', `the window did not come back within ${limitMillis / 1000} s; begin again`, {
            details: { attempts: 1 },
          }),
        )
      }, limitMillis)
  })
  return {
    outcome,
    giveUp() {
      if (!isAwaited) return
      isAwaited = false
      if (isOver) return
      cancelTimer()
      cancelTimer = clock.setTimeout(() => stop(), lateMillis, { keepAlive: false })
    },
  }
}
