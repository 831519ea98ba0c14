import { Observable } from 'rxjs'
import type { Clock } from '../../core/clock'
import type { Host } from '../../core/host'
import { developerError } from '../../errors/auth-error'
import { setting } from '../../errors/setting'
import { cookiesOf, encodeCookie, isNewIn, readCookies, tokensInCookies } from './cookie-format'
import { guardedCookies, type OwnStore } from '../guarded-store'
import {
  checkedTokens,
  holdsSame,
  type TokenContext,
  type TokenCookie,
  type TokenSource,
  type TokenStore,
} from '../token-store'

/**
 * Tokens in the browser's cookies, shared by all tabs and with the platform's own kit.
 *
 * `domain` shares them with subdomains (`example.com`); default: this host only. Outside a browser every use throws
 * TOKENS_UNAVAILABLE: on a server, use `requestTokens` for each request.
 *
 * `partitioned` is for pages in frames of other sites, where browsers keep no other cookies: `SameSite=None; Secure; Partitioned`. The
 * session in such a frame is one of its own for each site around it. Only https, and http on localhost, keep such cookies: elsewhere
 * a sign-in throws TOKENS_UNAVAILABLE.
 *
 * @example
 * const app = createClientApp({ tokens: cookieTokens({ domain: '.example.com' }) })
 */
export function cookieTokens(options: { readonly domain?: string; readonly partitioned?: boolean } = {}): TokenSource {
  // Normalised as in browsers, without a leading dot and in lower case. Empty: this host.
  const domain = setting('domain', options.domain ?? '')
    .toLowerCase()
    .replace(/^\./, '')
  const { partitioned: isPartitioned = false } = options
  return context => createStore(context, { domain: domain || undefined, isPartitioned })
}

/** The jar of a cookie, which only a cookie with the same attributes replaces or deletes. */
interface CookiePlace {
  readonly domain: string | undefined
  readonly isPartitioned: boolean
}

function createStore({ projectId, clock, host }: TokenContext, own: CookiePlace): OwnStore {
  if (!host.cookies) return unavailable()
  const cookies = guardedCookies(host.cookies)
  const reads = { last: '', changes: 0 }
  const read = () => {
    const header = cookies.get()
    if (header !== reads.last) reads.changes++
    reads.last = header
    return tokensInCookies(header, projectId, store['~set'])
  }
  const write = (wanted: readonly TokenCookie[]) => {
    for (const { name, value, maxAgeSeconds } of wanted) {
      cookies.set(serialise(name, value, maxAgeSeconds, own))
      // A cookie of this host alone, from before `domain` was set, is listed first and would hide the shared one.
      if (own.domain !== undefined) cookies.set(serialise(name, '', 0, { ...own, domain: undefined }))
    }
    // Left by other options: such a copy would hide what was written, or bring the session back. The new value is not
    // written again, since another tab may have written meanwhile.
    for (const { name } of wanted.filter(isNewIn(readCookies(cookies.get()))))
      for (const domain of [undefined, ...ownDomains()])
        for (const isPartitioned of [false, true])
          if (domain !== own.domain || isPartitioned !== own.isPartitioned)
            cookies.set(serialise(name, '', 0, { domain, isPartitioned }))
  }
  const store: OwnStore = {
    '~set': write,
    sharedAs: `rxauth:${projectId}`,
    changes$: cookieChanges(cookies, clock, host, reads),
    read,
    replace(expected, next) {
      if (!holdsSame(read(), expected)) return false
      write(cookiesOf(next && checkedTokens(next), projectId, cookies.get()))
      // Browsers refuse silently: a foreign domain, blocked cookies.
      const isKept = holdsSame(read(), next)
      if (!isKept && own.isPartitioned && !isSecure() && read() === null)
        throw developerError(
          'TOKENS_UNAVAILABLE',
          'this browser keeps no partitioned cookies for a page by http; open the page by https, or on localhost',
          { what: 'partitioned cookies need https' },
        )
      return isKept
    },
  }
  return store
}

/** The domains for which this page may have set cookies: its host and the parent domains. */
function ownDomains(): string[] {
  const labels = typeof location === 'undefined' ? [] : location.hostname.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

function isSecure(): boolean {
  return typeof location !== 'undefined' && location.protocol === 'https:'
}

/** Sets and deletes with the same attributes: a browser deletes only a cookie that matches. */
function serialise(
  name: string,
  value: string,
  maxAgeSeconds: number | undefined,
  { domain, isPartitioned }: CookiePlace,
): string {
  const kind = isPartitioned ? 'none; partitioned' : 'lax'
  const flags = `${domain ? `; domain=${domain}` : ''}${isPartitioned || isSecure() ? '; secure' : ''}`
  return `${name}=${encodeCookie(value)}; path=/${maxAgeSeconds === undefined ? '' : `; max-age=${maxAgeSeconds}`}; samesite=${kind}${flags}`
}

function unavailable(): TokenStore {
  const refuse = (): never => {
    throw developerError(
      'TOKENS_UNAVAILABLE',
      'cookieTokens() works in a browser only; on a server pass requestTokens(request), in a script memoryTokens()',
      { what: 'cookieTokens()' },
    )
  }
  return { read: refuse, replace: refuse }
}

/** Not every browser reports cookies that another tab has changed. */
const pollMillis = 100

/** The cookie change event, in browsers that have it; TypeScript's types may lack it. */
const changeEvent = 'change'

/**
 * Emits when the cookies have changed. Compares every 100 ms while the page is visible, when it becomes visible again, and
 * when the browser reports a change. `reads` counts the changes that calls have read between: after those the cookies may be
 * the same as at the last comparison, and the session still is another one.
 */
export function cookieChanges(
  cookies: NonNullable<Host['cookies']>,
  clock: Clock,
  host: Host,
  reads = { changes: 0 },
): Observable<void> {
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
    let { changes } = reads
    let cancel: (() => void) | undefined
    const { cookieStore } = globalThis as { readonly cookieStore?: EventTarget }
    const look = () => {
      const now = read(last)
      if (now === last && changes === reads.changes) return
      last = now
      subscriber.next()
      // Also those that the subscriber has read.
      changes = reads.changes
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
