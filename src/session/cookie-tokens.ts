import { AuthError } from '../errors/auth-error'
import { cookiesOf, encodeCookie, readCookies, tokensInCookies } from './cookie-format'
import { cookieChanges } from './cookie-poll'
import { guardedCookies } from './guarded-cookies'
import { checkedTokens, holdsSame } from './token-store'
import type { TokenContext, TokenSource, TokenStore } from './token-store'

/**
 * Tokens in the browser's cookies, shared by all tabs and with the platform's own kit.
 *
 * `domain` shares them with subdomains (`example.com`); default: this host only. Outside a browser every use throws
 * TOKENS_UNAVAILABLE: a server takes each request's tokens with `requestTokens`.
 *
 * @example
 * const app = createClientApp({ tokens: cookieTokens({ domain: '.example.com' }) })
 */
export function cookieTokens(options: { readonly domain?: string } = {}): TokenSource {
  // As browsers take it: the dot of old says nothing, nor do capital letters. Nothing at all: this host.
  const domain = options.domain?.toLowerCase().replace(/^\./, '')
  return context => createStore(context, domain === '' ? undefined : domain)
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
        // Kept for this host alone before `domain` was given: browsers list it first, so it would hide the shared one.
        if (domain !== undefined) cookies.set(serialise(name, '', 0, undefined))
      }
      const seen = readCookies(cookies.get())
      // Left of another `domain`: such a copy hides what was written, or would bring the session back. What was written is
      // not written again, since another tab may have done so meanwhile.
      for (const { name, isForeign } of wanted.filter(({ name, value }) => (seen.get(name) ?? '') !== value))
        for (const stray of [undefined, ...ownDomains()]) {
          const deletion = serialise(name, '', 0, stray)
          if (stray !== domain) cookies.set(deletion)
          if (isForeign) cookies.set(deletion + '; partitioned')
        }
      // Browsers refuse without a word: a foreign domain, blocked cookies.
      return holdsSame(read(), next)
    },
  }
}

/** The domains that this page may have set cookies for: its host and what that belongs to. */
function ownDomains(): string[] {
  const labels = typeof location === 'undefined' ? [] : location.hostname.split('.')
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
}

/** The same attributes whether it sets or deletes: a browser deletes only what matches. */
function serialise(name: string, value: string, maxAgeSeconds: number, domain: string | undefined): string {
  const secure = typeof location !== 'undefined' && location.protocol === 'https:'
  return `${name}=${encodeCookie(value)}; path=/; max-age=${maxAgeSeconds}; samesite=lax${domain ? `; domain=${domain}` : ''}${secure ? '; secure' : ''}`
}

function unavailable(): TokenStore {
  const refuse = (): never => {
    throw new AuthError(
      'TOKENS_UNAVAILABLE',
      'cookieTokens() works in a browser only; on a server pass requestTokens(request), in a script memoryTokens()',
    )
  }
  return { read: refuse, replace: refuse }
}
