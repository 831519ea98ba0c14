import Cookies from 'js-cookie'
import { EMPTY, Observable } from 'rxjs'
import type { Clock } from '../core/clock'
import type { Host } from '../core/host'
import { AuthError } from '../errors/auth-error'
import type { Tokens } from '../transport/credentials'
import { checkedTokens, holdsSame } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/** Spec §9. */
const refreshMaxAgeSeconds = 31_536_000
const accessMaxAgeSeconds = 86_400
const pollMillis = 100
/** Browsers drop longer cookies without a word. */
const maxCookieBytes = 4096

const accessName = 'stack-access'
const legacyName = 'stack-refresh'

/**
 * Tokens in the browser's cookies, shared by all tabs and with the platform's own kit.
 *
 * `domain` shares them with subdomains (`example.com`); default: this host only. Outside a browser every use throws
 * TOKENS_UNAVAILABLE: a server takes each request's tokens with `requestTokens`.
 */
export function cookieTokens(options: { readonly domain?: string } = {}): TokenSource {
  return context => createStore(context, options.domain)
}

function createStore({ projectId, clock, host }: TokenContext, domain: string | undefined): TokenStore {
  const { cookies } = host
  if (!cookies) return unavailable()
  const refreshName = `stack-refresh-${projectId}`
  const write = (name: string, value: string, maxAgeSeconds: number) => {
    cookies.set(serialise(name, value, maxAgeSeconds, domain))
    // Kept for this host alone before `domain` was given: browsers list it first, so it would hide the shared one.
    if (domain !== undefined) cookies.set(serialise(name, '', 0, undefined))
  }
  const read = (): Tokens | null => {
    const jar = parse(cookies.get())
    const refreshToken = jar.get(refreshName) ?? jar.get(legacyName) ?? null
    const accessToken = accessTokenOf(jar.get(accessName), refreshToken ?? '')
    return refreshToken === null && accessToken === null ? null : { accessToken, refreshToken }
  }
  return {
    sharedAs: `rxauth:${projectId}`,
    changes$: poll(cookies, clock, host),
    read,
    replace(expected, next) {
      if (!holdsSame(read(), expected)) return false
      const { accessToken, refreshToken } = next ? checkedTokens(next) : { accessToken: null, refreshToken: null }
      const pair = accessToken === null ? '' : JSON.stringify([refreshToken ?? '', accessToken])
      const writePair = () => {
        // A pair that is too long for a cookie is left out; the next page load refreshes once.
        const fits = pair !== '' && serialise(accessName, pair, accessMaxAgeSeconds, domain).length <= maxCookieBytes
        write(accessName, fits ? pair : '', fits ? accessMaxAgeSeconds : 0)
      }
      // The pair names its refresh token, so a reader between the two writes never sees tokens of two sessions together.
      if (next) writePair()
      write(refreshName, refreshToken ?? '', refreshToken === null ? 0 : refreshMaxAgeSeconds)
      if (!next) writePair()
      // Read as a fallback only; left alone it would bring the old session back.
      if (parse(cookies.get()).has(legacyName)) write(legacyName, '', 0)
      // Browsers refuse without a word: a foreign domain, blocked cookies.
      return holdsSame(read(), next)
    },
  }
}

/** Accepted only if it was written together with the present refresh token; older kits stored a bare token here. */
function accessTokenOf(pair: string | undefined, refreshToken: string): string | null {
  if (!pair?.startsWith('["')) return null
  try {
    const [owner, accessToken] = JSON.parse(pair) as unknown[]
    return owner === refreshToken && typeof accessToken === 'string' ? accessToken : null
  } catch {
    return null
  }
}

function parse(header: string): Map<string, string> {
  const jar = new Map<string, string>()
  for (const part of header.split(/; ?/)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals)
    if (equals < 1 || jar.has(name)) continue
    try {
      jar.set(name, (Cookies.converter.read ?? decodeURIComponent)(part.slice(equals + 1), name))
    } catch {
      // Somebody else's cookie with a broken percent sequence.
    }
  }
  return jar
}

/** The same attributes whether it sets or deletes: a browser deletes only what matches. */
function serialise(name: string, value: string, maxAgeSeconds: number, domain: string | undefined): string {
  // Of the kit's cookies only; the names hold nothing that needs encoding.
  const encoded = (Cookies.converter.write ?? encodeURIComponent)(value, name)
  const secure = typeof location !== 'undefined' && location.protocol === 'https:'
  return `${name}=${encoded}; path=/; max-age=${maxAgeSeconds}; samesite=lax${domain ? `; domain=${domain}` : ''}${secure ? '; secure' : ''}`
}

/** Tells when the cookies differ from what they were: looks every 100 ms while visible, at once when shown again. */
function poll(cookies: NonNullable<Host['cookies']>, clock: Clock, host: Host): Observable<void> {
  return new Observable(subscriber => {
    let last = cookies.get()
    let cancel: (() => void) | undefined
    const look = () => {
      const now = cookies.get()
      if (now === last) return
      last = now
      subscriber.next()
    }
    const tick = () => {
      look()
      if (!subscriber.closed) cancel = clock.setTimeout(tick, pollMillis, { keepAlive: false })
    }
    const start = () => {
      cancel ??= clock.setTimeout(tick, pollMillis, { keepAlive: false })
    }
    const stop = () => {
      cancel?.()
      cancel = undefined
    }
    subscriber.add(stop)
    if (!host.visible$) {
      start()
      return
    }
    subscriber.add(
      (host.visible$ ?? EMPTY).subscribe(visible => {
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

function unavailable(): TokenStore {
  const refuse = (): never => {
    throw new AuthError(
      'TOKENS_UNAVAILABLE',
      'cookieTokens() works in a browser only; on a server pass requestTokens(request) for each request, in a script memoryTokens()',
    )
  }
  return { read: refuse, replace: refuse }
}
