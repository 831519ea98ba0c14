import { Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Host } from '../core/host'

/** Not every browser reports cookies that another tab has changed. */
const pollMillis = 100

/** The cookie change event, in browsers that have it; TypeScript's types may lack it. */
const changeEvent = 'change'

/**
 * Emits when the cookies have changed. Compares every 100 ms while the page is visible, when it becomes visible again, and
 * when the browser reports a change.
 */
export function cookieChanges(cookies: NonNullable<Host['cookies']>, clock: Clock, host: Host): Observable<void> {
  return new Observable(subscriber => {
    // Unreadable cookies count as unchanged; the next call that needs them reports the error.
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
