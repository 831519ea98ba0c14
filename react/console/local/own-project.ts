import { filter, map, shareReplay } from 'rxjs'
import { events$ } from './live'
import { useLive } from './use-live'

const projectId$ = events$.pipe(
  filter(event => event.type === 'hello'),
  map(({ projectId }): string | null => projectId),
  shareReplay({ bufferSize: 1, refCount: false }),
)
projectId$.subscribe()

/** The project that the platform began with; null until it is heard of. */
export function useOwnProjectId(): string | null {
  return useLive(projectId$, null)
}
