import { wait } from '../../core/clock'
import { isBrowser, type Host, type OpenedWindow } from '../../core/host'
import { isRecord } from '../../core/values'
import { onAbort } from '../../core/signals'
import { coreOf, type Kit } from '../../store/kit-parts'
import type { Arrived } from './finish'

/**
 * Messages between a page and its popup: the popup offers its result, the page is ready, the popup sends it, and the page
 * confirms. Without an answer from the page, the popup keeps the result and signs in by itself.
 */
export type PopupMessage =
  | { readonly step: 'offer' | 'ready' | 'got' | 'kept' }
  | { readonly step: 'arrived'; readonly arrived: Arrived }

type Peer = Pick<OpenedWindow, 'postMessage'> | null

/**
 * Connects a page and its popup under a name that only they know: by a BroadcastChannel, since a provider's
 * `Cross-Origin-Opener-Policy` cuts windows off from each other, and also by messages between the windows, for browsers
 * without channels.
 */
export function openPopupChannel(
  kit: Kit<never>,
  state: string,
  peer: (page: Window) => Peer,
  receive: (message: PopupMessage) => void,
): { readonly post: (message: PopupMessage) => void; readonly close: () => void } {
  const { host } = coreOf(kit)
  const name = `rxauth-oauth-${state}`
  const channel = channelOf(host, name)
  const hear = (data: unknown) => {
    const message = isRecord(data) && data['line'] === name ? understood(data['message']) : undefined
    if (message) receive(message)
  }
  if (channel) channel.onmessage = ({ data }: MessageEvent<unknown>) => hear(data)
  const page = isBrowser() ? window : undefined
  const hearWindow = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin === page?.location.origin) hear(data)
  }
  page?.addEventListener('message', hearWindow)
  return {
    post(message) {
      const data = { line: name, message }
      try {
        channel?.postMessage(data)
      } catch {
        // Closed by the browser on a page in its back-forward cache.
      }
      try {
        if (page) peer(page)?.postMessage?.(data, page.location.origin)
      } catch {
        // The window is cut off or closed.
      }
    },
    close() {
      channel?.close()
      page?.removeEventListener('message', hearWindow)
    },
  }
}

/** Undefined if the browser refuses one, as in a sandbox. */
function channelOf({ channel }: Host, name: string): ReturnType<NonNullable<Host['channel']>> | undefined {
  try {
    return channel?.(name)
  } catch {
    return undefined
  }
}

/** How long a popup waits for the page that opened it. */
const answerMillis = 2000

/** Passes a popup's result to the page that waits for it; false if none does. */
export async function handOver(kit: Kit<never>, state: string, arrived: Arrived): Promise<boolean> {
  const { clock, session } = coreOf(kit)
  const heard = new Map<string, () => void>()
  const line = openPopupChannel(kit, state, openerOf, ({ step }) => heard.get(step)?.())
  const hears = async (step: PopupMessage['step'], message: PopupMessage) => {
    const stop = new AbortController()
    const forget = onAbort(session.ended, () => stop.abort())
    const answered = new Promise<boolean>(resolve => {
      heard.set(step, () => resolve(true))
    })
    line.post(message)
    try {
      return await Promise.race([answered, wait(clock, answerMillis, stop.signal).then(() => false)])
    } finally {
      forget()
      stop.abort()
    }
  }
  try {
    if (await hears('ready', { step: 'offer' })) {
      // The page has answered: it gets the result, whether or not it confirms.
      await hears('got', { step: 'arrived', arrived })
      return true
    }
    line.post({ step: 'kept' })
    return false
  } finally {
    line.close()
  }
}

function openerOf({ opener }: Window): Peer {
  // May be any window; messages reach its own origin only.
  return opener as Peer
}

/** Another tab may run another version of the app. */
function understood(message: unknown): PopupMessage | undefined {
  if (!isRecord(message)) return undefined
  const { step, arrived } = message
  if (step === 'offer' || step === 'ready' || step === 'got' || step === 'kept') return { step }
  if (step !== 'arrived' || !isRecord(arrived)) return undefined
  const { code, error } = arrived
  if (typeof code === 'string') return { step, arrived: { code } }
  if (!isRecord(error) || typeof error['code'] !== 'string') return undefined
  const { message: told, details } = error
  return {
    step,
    arrived: { error: { code: error['code'], message: textOrNull(told), details: textOrNull(details) } },
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
