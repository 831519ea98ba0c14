import { isBrowser } from '../core/host'

/**
 * How a redirect leaves the page: with `window.location`, not at all, or with a router's function. `replace` leaves no entry
 * in the history.
 *
 * @example
 * const navigate: Navigate = (url, { replace }) => history[replace ? 'replaceState' : 'pushState'](null, '', url)
 * const app = createClientApp({ tokens: cookieTokens(), navigate })
 */
export type Navigate = 'window' | 'none' | ((url: string, options: { readonly replace: boolean }) => void)

/** The function that a kit navigates with; undefined if it never does. */
export function navigator(
  navigate: Navigate = isBrowser() ? 'window' : 'none',
): ((url: string, options: { readonly replace: boolean }) => void) | undefined {
  if (typeof navigate === 'function') return navigate
  if (navigate === 'none' || !isBrowser()) return undefined
  return (url, { replace }) => {
    // As the target was judged: the base of the document may be of another origin, and to a blob nothing is relative.
    const { href } = new URL(url, window.location.href.replace(/^blob:/, ''))
    if (replace) window.location.replace(href)
    else window.location.assign(href)
  }
}
