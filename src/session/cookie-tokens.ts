import { DEV } from '../core/dev'
import { AuthError } from '../errors/auth-error'
import { settingOf } from '../errors/setting'
import { cookiesOf, encodeCookie, readCookies, tokensInCookies } from './cookie-format'
import { cookieChanges } from './cookie-poll'
import { guardedCookies } from './guarded-cookies'
import { checkedTokens, holdsSame } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/**
 * Tokens in the browser's cookies, shared by all tabs and with the platform's own kit.
 *
 * `domain` shares them with subdomains (`example.com`); default: this host only. Outside a browser every use throws
 * TOKENS_UNAVAILABLE: on a server, use `requestTokens` for each request.
 *
 * @example
 * const app = createClientApp({ tokens: cookieTokens({ domain: '.example.com' }) })
 */
export function cookieTokens(options: { readonly domain?: string } = {}): TokenSource {
  // Normalised as in browsers, without a leading dot and in lower case. Empty: this host.
  const domain = settingOf('domain', options.domain).toLowerCase().replace(/^\./, '')
  return context => createStore(context, domain || undefined)
}

function createStore({ projectId, clock, host }: TokenContext, domain: string | undefined): TokenStore {
  if (!host.cookies) return unavailable()
  const cookies = guardedCookies(host.cookies)
  const read = () => tokensInCookies(cookies.get(), projectId)
  return {
    sharedAs: `rxauth:${projectId}`,
    changes$: cookieChanges(cookies, clock, host),
    read,
    replace(expected, next) {
      if (!holdsSame(read(), expected)) return false
      const wanted = cookiesOf(next && checkedTokens(next), projectId, cookies.get())
      for (const { name, value, maxAgeSeconds } of wanted) {
        cookies.set(serialise(name, value, maxAgeSeconds, domain))
        // A cookie of this host alone, from before `domain` was set, is listed first and would hide the shared one.
        if (domain !== undefined) cookies.set(serialise(name, '', 0, undefined))
      }
      const seen = readCookies(cookies.get())
      // Left by another `domain`: such a copy would hide what was written, or bring the session back. The new value is not
      // written again, since another tab may have written meanwhile.
      for (const { name, isForeign } of wanted.filter(({ name, value }) => (seen.get(name) ?? '') !== value))
        for (const stray of [undefined, ...ownDomains()]) {
          const deletion = serialise(name, '', 0, stray)
          if (stray !== domain) cookies.set(deletion)
          if (isForeign) cookies.set(deletion + '; partitioned')
        }
      // Browsers refuse silently: a foreign domain, blocked cookies.
      return holdsSame(read(), next)
    },
  }
}

/** The domains for which this page may have set cookies: its host and the parent domains. */
function ownDomains(): string[] {
  const labels = typeof location === 'undefined' ? [] : location.hostname.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/** Sets and deletes with the same attributes: a browser deletes only a cookie that matches. */
function serialise(name: string, value: string, maxAgeSeconds: number, domain: string | undefined): string {
  const secure = typeof location !== 'undefined' && location.protocol === 'https:'
  return `${name}=${encodeCookie(value)}; path=/; max-age=${maxAgeSeconds}; samesite=lax${domain ? `; domain=${domain}` : ''}${secure ? '; secure' : ''}`
}

function unavailable(): TokenStore {
  const refuse = (): never => {
    throw new AuthError(
      'TOKENS_UNAVAILABLE',
      DEV
        ? 'cookieTokens() works in a browser only; on a server pass requestTokens(request), in a script memoryTokens()'
        : 'cookieTokens()',
    )
  }
  return { read: refuse, replace: refuse }
}
