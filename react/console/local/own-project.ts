import { filter, map, shareReplay } from 'rxjs'
import { events$ } from './live'
import { useLive } from './use-live'

const projectId$ = events$.pipe(
  filter(event => event.type === 'hello'),
  map(({ projectId }): string | null => projectId),
  shareReplay({ bufferSize: 1, refCount: false }),
)
projectId$.subscribe()

/** The id of the platform's initial project; null until the first event. */
export function useOwnProjectId(): string | null {
  return useLive(projectId$, null)
}
