import { useSyncExternalStore } from 'react'
import type { MouseEvent, ReactNode } from 'react'

const listeners = new Set<() => void>()

function listen(callback: () => void): () => void {
  listeners.add(callback)
  window.addEventListener('popstate', callback)
  return () => {
    listeners.delete(callback)
    window.removeEventListener('popstate', callback)
  }
}

/** Goes to a page of this app without leaving it, to any other as a browser does. What the kit navigates with. */
export function go(url: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const target = new URL(url, location.href)
  if (target.origin !== location.origin) {
    if (replace) location.replace(target)
    else location.assign(target)
    return
  }
  if (replace) history.replaceState(null, '', target)
  else history.pushState(null, '', target)
  scrollTo(0, 0)
  for (const listener of listeners) listener()
}

/** The path of the page. */
export function usePath(): string {
  return useSyncExternalStore(listen, () => location.pathname)
}

/** What the address of the page says; null if nothing. */
export function queryParameter(name: string): string | null {
  return new URLSearchParams(location.search).get(name)
}

export function Link({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={to} onClick={follow}>
      {children}
    </a>
  )
}
