import { eitherOf, onAbort } from '../../core/signals'
import { isBrowser, type OpenedWindow } from '../../core/host'
import type { Result } from '../../core/result'
import { abortError, unlessAborted, given, developerError } from '../../errors/auth-error'
import { coreOf } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { CallOptions } from '../../store/write/effects'
import { checkedPeriod } from '../../transport/config'
import { forgetPending, type PendingOAuth } from './cookie'
import type { OAuthFailure } from './refusal'
import { beginOAuth, startOAuth, type FlowKind, type OAuthInput } from './start'
import type { SignedIn } from '../answers'
import { finishOAuth } from './finish'
import { openPopupChannel } from './popup-channel'

/** The input of an OAuth flow in a popup. */
export interface OAuthPopupInput extends OAuthInput {
  /** How long the call waits for the popup before TIMED_OUT. Default 300 000; Infinity: until the signal aborts. */
  readonly popupTimeoutMillis?: number
}

/**
 * Signs in at a provider in a popup, while this page stays. Call it in the click itself, or browsers block the popup:
 * POPUP_BLOCKED. The page at `oauthCallback` runs `handleOAuthCallback`, which passes the result to this page.
 *
 * A page cannot see that the popup was closed, since the platform cuts it off: pass a `signal` that a cancel button aborts
 * (ABORTED; the popup is closed if possible), or rely on `popupTimeoutMillis` (TIMED_OUT; the popup stays). A sign-in
 * completed later still takes effect: here, or in the popup if this page is gone.
 *
 * @example
 * const result = await app.signInWithOAuthPopup({ provider: 'github' })
 * await app.navigateAfterAuth(result)
 */
export async function signInWithOAuthPopup(
  kit: Kit,
  input: OAuthPopupInput,
  options?: CallOptions,
): Promise<Result<SignedIn, OAuthFailure>> {
  return throughPopup(kit, input, { isLink: false, isPopup: true }, options)
}

/**
 * Links an account like `connectAccount`, in a popup like `signInWithOAuthPopup`.
 *
 * @example
 * const result = await app.connectAccountPopup({ provider: 'github', scopes: ['repo'] })
 */
export async function connectAccountPopup(
  kit: Kit,
  input: OAuthPopupInput,
  options?: CallOptions,
): Promise<Result<SignedIn, OAuthFailure>> {
  return throughPopup(kit, input, { isLink: true, isPopup: true }, options)
}

const features = 'popup,width=500,height=700'

const defaultTimeoutMillis = 300_000

export async function throughPopup(
  kit: Kit,
  asked: OAuthPopupInput,
  kind: FlowKind,
  options: CallOptions = {},
): Promise<Result<SignedIn, OAuthFailure>> {
  const { popupTimeoutMillis = defaultTimeoutMillis, ...input } = given(asked)
  const { host, session } = coreOf(kit)
  const limitMillis = checkedPeriod('popupTimeoutMillis', popupTimeoutMillis)
  const start = startOAuth(kit, input, kind)
  if (options.signal?.aborted) throw abortError(options.signal)
  // First, since anything asynchronous would use up the click. The URL is set later.
  const open = host.openWindow ?? openWindow
  const popup = open('about:blank', features)
  if (!popup)
    throw developerError('POPUP_BLOCKED', 'the browser has blocked the popup; open it in a click, or allow popups')
  const { signal, release } = eitherOf(session.ended, options.signal)
  try {
    const { url, pending } = await unlessAborted(beginOAuth(kit, start, signal), signal).catch((error: unknown) => {
      forgetPending(kit, start.state)
      popup.close()
      throw error
    })
    const returning = returnOf(kit, start.state, pending, popup, limitMillis)
    popup.location.replace(url)
    return await unlessAborted(returning.outcome, signal).catch((error: unknown) => {
      returning.giveUp()
      if (signal.aborted) popup.close()
      throw error
    })
  } finally {
    release()
  }
}

function openWindow(url: string, given: string): OpenedWindow | null {
  return isBrowser() ? window.open(url, '_blank', given) : null
}

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
function returnOf(kit: Kit, state: string, pending: PendingOAuth, popup: OpenedWindow, limitMillis: number): Return {
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
