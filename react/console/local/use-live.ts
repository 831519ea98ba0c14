import { useMemo, useSyncExternalStore } from 'react'
import type { Observable } from 'rxjs'

/** Data that has not arrived yet. */
export const pending = { status: 'pending' } as const

/** The latest value of a replaying observable; until it emits, the `initial` of the first render. */
export function useLive<T>(source$: Observable<T>, initial: T): T {
  // oxlint-disable-next-line react/exhaustive-deps -- another initial value would only flicker
  const [listen, read] = useMemo(() => latest(source$, initial), [source$])
  return useSyncExternalStore(listen, read)
}

function latest<T>(source$: Observable<T>, initial: T) {
  let value = initial
  const listen = (tell: () => void) => {
    const subscription = source$.subscribe(next => {
      value = next
      tell()
    })
    return () => subscription.unsubscribe()
  }
  return [listen, () => value] as const
}
