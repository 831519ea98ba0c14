import { navigate } from 'wouter/use-browser-location'

/** Where the addresses of the admin area begin. It has a kit of its own, so that the browser loads the page anew there. */
export const adminBase = '/admin'

export function isInAdminArea(path: string): boolean {
  return path === adminBase || path.startsWith(`${adminBase}/`)
}

/** Goes to a page of this app without leaving it, to any other as a browser does. What the kits navigate with. */
export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(url, location.href)
  const isHere = target.origin === location.origin
  if (isHere && isInAdminArea(target.pathname) === isInAdminArea(location.pathname)) {
    navigate(target.href.slice(target.origin.length), { replace })
    scrollTo(0, 0)
  } else if (replace) location.replace(target)
  else location.assign(target)
}

/** A parameter of the page's address; null if it is not there, or empty, as in a link that was cut off. */
export function queryParameter(name: string): string | null {
  return new URLSearchParams(location.search).get(name) || null
}
