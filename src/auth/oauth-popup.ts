import { wait } from '../core/clock'
import type { OpenedWindow } from '../core/host'
import type { Result } from '../core/result'
import { AuthError } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import type { CallOptions } from '../store/mutation'
import { eitherOf } from '../core/either-signal'
import { abortError, unlessAborted } from '../errors/abort'
import { forgetPending } from './oauth-cookie'
import { finishOAuth } from './oauth-finish'
import type { Arrived } from './oauth-finish'
import { openLine } from './oauth-line'
import type { OAuthFailure } from './oauth-refusal'
import { beginOAuth, startOAuth } from './oauth-start'
import type { OAuthInput } from './oauth-start'
import type { SignedIn } from './signed-in'

/**
 * Signs in at a provider in a window of its own, while this page stays. Call it in the click itself, or browsers block the
 * window: POPUP_BLOCKED. The page at `oauthCallback` runs `handleOAuthCallback`, which hands over to this one.
 *
 * Rejects with ABORTED if the person closes the window, and with TIMED_OUT after ten minutes.
 */
export async function signInWithOAuthPopup(
  kit: Kit,
  input: OAuthInput,
  options?: CallOptions,
): Promise<Result<SignedIn, OAuthFailure>> {
  return throughPopup(kit, input, false, options)
}

/** Links an account as `connectAccount` does, in a window of its own as `signInWithOAuthPopup`. */
export async function connectAccountPopup(
  kit: Kit,
  input: OAuthInput,
  options?: CallOptions,
): Promise<Result<SignedIn, OAuthFailure>> {
  return throughPopup(kit, input, true, options)
}

const features = 'popup,width=500,height=700'

/** Protocol §10.2: the platform waits no longer. */
const limitMillis = 600_000

async function throughPopup(
  kit: Kit,
  input: OAuthInput,
  isLink: boolean,
  options: CallOptions = {},
): Promise<Result<SignedIn, OAuthFailure>> {
  const { host, session } = coreOf(kit)
  const start = startOAuth(kit, input, { isLink, isPopup: true })
  if (options.signal?.aborted) throw abortError(options.signal)
  // Before anything that takes time, which would use up the click. Where to comes later.
  const open = host.openWindow ?? openWindow
  const popup = open('about:blank', features)
  if (!popup)
    throw new AuthError('POPUP_BLOCKED', 'the browser has blocked the window; open it in a click, or allow it')
  const { signal, release } = eitherOf(session.ended, options.signal)
  try {
    const { url, pending } = await unlessAborted(beginOAuth(kit, start, signal), signal)
    popup.location.replace(url)
    const arrived = await unlessAborted(comingBack(kit, start.state, popup, signal), signal)
    popup.close()
    return await finishOAuth(kit, pending, arrived)
  } catch (error) {
    // Given up here. But a window that only seems closed may still sign in, by itself.
    if (!(error instanceof Left)) {
      forgetPending(kit, start.state)
      popup.close()
    }
    throw error instanceof Left ? new AuthError('ABORTED', error.message) : error
  } finally {
    release()
  }
}

/** The window is, or seems to be, out of reach. */
class Left extends Error {}

function openWindow(url: string, given: string): OpenedWindow | null {
  return typeof window === 'undefined' ? null : window.open(url, '_blank', given)
}

/** What the window comes back with. */
async function comingBack(kit: Kit, state: string, popup: OpenedWindow, signal: AbortSignal): Promise<Arrived> {
  const done = new AbortController()
  const stop = eitherOf(signal, done.signal)
  let close = () => {}
  const arrived = new Promise<Arrived>((resolve, reject) => {
    const line = openLine(
      kit,
      state,
      () => popup,
      message => {
        if (message.step === 'offer') line.post({ step: 'ready' })
        if (message.step === 'kept')
          reject(new Left('the sign-in goes on in the window that was opened: this page did not answer it in time'))
        if (message.step !== 'arrived') return
        line.post({ step: 'got' })
        resolve(message.arrived)
      },
    )
    close = line.close
  })
  try {
    return await Promise.race([arrived, untilGone(kit, popup, stop.signal)])
  } finally {
    close()
    done.abort()
    stop.release()
  }
}

const lookMillis = 500

/** What is on its way from a window that closes itself arrives within this time. */
const closedMillis = 2000

/**
 * Rejects when the person has closed the window, or ten minutes are over. A provider may cut the windows off from each
 * other, and then one that is open says that it is closed; but then the person is there, and not on this page.
 */
async function untilGone(kit: Kit, popup: OpenedWindow, stop: AbortSignal): Promise<never> {
  const { clock, host } = coreOf(kit)
  const hasFocus = host.hasFocus ?? (() => typeof document === 'undefined' || document.hasFocus())
  let closedFor = 0
  // Browsers make timers of a page in the background late, so looks are not counted.
  const until = clock.monotonic() + limitMillis
  while (clock.monotonic() < until) {
    await wait(clock, lookMillis, stop)
    closedFor = popup.closed && hasFocus() ? closedFor + lookMillis : 0
    if (closedFor >= closedMillis) throw new Left('the person has closed the window before the sign-in was done')
  }
  throw new AuthError('TIMED_OUT', 'the sign-in in the window took longer than ten minutes; begin again', {
    details: { attempts: 1 },
  })
}
