import type { OpenedWindow } from '../../core/host'
import { onAbort } from '../../core/signals'
import type { Result } from '../../core/result'
import { developerError } from '../../errors/auth-error'
import { coreOf } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { PendingOAuth } from './cookie'
import { finishOAuth } from './finish'
import { openPopupChannel } from './popup-channel'
import type { OAuthFailure } from './refusal'
import type { SignedIn } from '../answers'

/** A flow in a popup, seen from the page that began it. */
interface Return {
  /** The result on this page. Rejects with TIMED_OUT, or with ABORTED if the popup has continued by itself. */
  readonly outcome: Promise<Result<SignedIn, OAuthFailure>>
  /** The caller stops waiting. The page still accepts the popup's result, for as long as the platform does. */
  giveUp(): void
}

/** A flow returns at most this long after its start. */
const lateMillis = 600_000

/**
 * The end of the flow in `popup`. This page finishes it as soon as the popup passes on the result; the popup no longer has
 * it then, so that a caller who gives up at that moment must not drop it.
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
    const line = openPopupChannel(
      kit,
      state,
      () => popup,
      message => {
        if (message.step === 'offer') line.post({ step: 'ready' })
        if (message.step === 'kept') {
          stop()
          reject(developerError('ABORTED', 'the sign-in continues in the popup: this page did not answer it in time'))
        }
        if (message.step !== 'arrived') return
        line.post({ step: 'got' })
        stop()
        popup.close()
        // A refusal after the caller has given up.
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
          developerError('TIMED_OUT', `the popup did not return within ${limitMillis / 1000} s; start again`, {
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
