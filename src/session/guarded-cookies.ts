import type { Host } from '../core/host'
import { storeFails } from './token-store'

type CookieAccess = NonNullable<Host['cookies']>

/** A page's cookies. If the browser blocks them (a sandboxed frame), reads and writes throw TOKENS_UNAVAILABLE. */
export function guardedCookies(cookies: CookieAccess): CookieAccess {
  return {
    get() {
      try {
        return cookies.get()
      } catch (error) {
        return storeFails('the cookies of this page cannot be read', error, [])
      }
    },
    set(cookie) {
      try {
        cookies.set(cookie)
      } catch (error) {
        const value = cookie.slice(cookie.indexOf('=') + 1).split(';', 1)
        storeFails('the cookies of this page cannot be written', error, value)
      }
    },
  }
}
