import { navigate } from 'wouter/use-browser-location'

/** The start of the admin area's addresses. It has its own kit, so the browser loads a new page there. */
export const adminBase = '/admin'

export function isInAdminArea(path: string): boolean {
  return path === adminBase || path.startsWith(`${adminBase}/`)
}

/** Opens a page of this app without a reload, and any other page with one. Used by the kits. */
export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(url, location.href)
  const isHere = target.origin === location.origin
  if (isHere && isInAdminArea(target.pathname) === isInAdminArea(location.pathname)) {
    navigate(target.href.slice(target.origin.length), { replace })
    scrollTo(0, 0)
  } else if (replace) location.replace(target)
  else location.assign(target)
}
