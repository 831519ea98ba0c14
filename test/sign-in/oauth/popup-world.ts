import type { ClientOptions, OpenedWindow } from 'rxauth'
import { mary, signInPage, type Tab, type VirtualWeb } from '../../oauth-web'
import { web } from './web'

export const exchanges = () => web.sent.filter(({ line }) => line === 'POST /auth/oauth/token')

export interface Popup extends OpenedWindow {
  closed: boolean
  readonly opened: readonly string[]
  /** Where it has been sent. */
  readonly gone: Promise<string>
}

/** A window as the page that has opened it sees it. */
export function popupWindow(): Popup {
  let go: (url: string) => void = () => undefined
  const gone = new Promise<string>(resolve => {
    go = resolve
  })
  return { closed: false, opened: [], gone, location: { replace: url => go(url) }, close: () => undefined }
}

export interface Opened {
  readonly page: Tab
  readonly popup: Popup
  readonly calls: string[][]
}

/** A page that may open one window. */
export function opener(options: Partial<ClientOptions> = {}, href = signInPage): Opened {
  const popup = popupWindow()
  const calls: string[][] = []
  const page = web.open(href, {
    ...options,
    host: {
      openWindow: (...given) => {
        calls.push(given)
        return popup
      },
      ...options.host,
    },
  })
  popup.close = () => {
    popup.closed = true
  }
  return { page, popup, calls }
}

/** The window comes back to the app; the page that has opened it is in front again. */
export async function comeBack({ page, popup }: Opened, person: Parameters<VirtualWeb['walk']>[1] = mary) {
  const back = await web.walk(await popup.gone, person)
  const inPopup = web.open(back)
  const callback = inPopup.app.handleOAuthCallback()
  page.focus()
  return { inPopup, callback, back }
}

/** The outcome as a value, so that it can be waited for later. */
export function outcome<T>(promise: Promise<T>): Promise<unknown> {
  return promise.then(
    result => result,
    (error: unknown) => error,
  )
}

export const nothing = { subscriptions: 0, timers: 0, loads: 0, cells: 0 }
