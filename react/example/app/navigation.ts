import { navigate } from 'wouter/use-browser-location'

/** Goes to a page of this app without leaving it, to any other as a browser does. What the kit navigates with. */
export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(url, location.href)
  if (target.origin === location.origin) {
    navigate(target.href.slice(target.origin.length), { replace })
    scrollTo(0, 0)
  } else if (replace) location.replace(target)
  else location.assign(target)
}

/** A parameter of the page's address; null if it is not there. */
export function queryParameter(name: string): string | null {
  return new URLSearchParams(location.search).get(name)
}
