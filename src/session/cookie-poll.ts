import { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Host } from '../core/host'

/** Not every browser tells of a cookie that another tab has changed. */
const pollMillis = 100

/** What the browser tells of cookies, where it does; the types of TypeScript do not know it yet everywhere. */
const changeEvent = 'change'

/**
 * Tells when the cookies differ from what they were: looks every 100 ms while the page is visible, at once when it is shown
 * again, and when the browser says that a cookie has changed.
 */
export function cookieChanges(cookies: NonNullable<Host['cookies']>, clock: Clock, host: Host): Observable<void> {
  return new Observable(subscriber => {
    // While they cannot be read they have not changed, as far as is known; a call that needs them says why.
    const read = (otherwise: string) => {
      try {
        return cookies.get()
      } catch {
        return otherwise
      }
    }
    let last = read('')
    let cancel: (() => void) | undefined
    const { cookieStore } = globalThis as { readonly cookieStore?: EventTarget }
    const look = () => {
      const now = read(last)
      if (now === last) return
      last = now
      subscriber.next()
    }
    const again = () => {
      cancel = clock.setTimeout(tick, pollMillis, { keepAlive: false })
    }
    const tick = () => {
      look()
      if (!subscriber.closed) again()
    }
    const stop = () => {
      cancel?.()
      cancel = undefined
      cookieStore?.removeEventListener(changeEvent, look)
    }
    const start = () => {
      if (cancel) return
      again()
      cookieStore?.addEventListener(changeEvent, look)
    }
    subscriber.add(stop)
    if (!host.visible$) {
      start()
      return
    }
    subscriber.add(
      host.visible$.subscribe(visible => {
        if (!visible) {
          stop()
          return
        }
        look()
        start()
      }),
    )
  })
}
