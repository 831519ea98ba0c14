import { Observable } from 'rxjs'
import type { TokenStore } from 'rxauth'

/** The store with changes that a kit can watch, and how many watch them. */
export function watchable(tokens: TokenStore): { readonly store: TokenStore; watchers(): number } {
  let count = 0
  const changes$ = new Observable<void>(() => {
    count++
    return () => {
      count--
    }
  })
  return { store: { ...tokens, changes$ }, watchers: () => count }
}
