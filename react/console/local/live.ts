import { catchError, filter, from, map, merge, Observable, of, scan, share, shareReplay, switchMap } from 'rxjs'
import type { LocalEvent, LocalMail, LocalTime, LoggedRequest, PlannedFault } from 'rxauth/platform'
import { askLocal } from './ask-local'

/** The state of data that events keep current. */
export type Live<T> =
  | { readonly status: 'pending' }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'ready'; readonly value: T }

/** An event of the platform, or the loss of the connection; the browser reconnects by itself. */
type Heard = LocalEvent | { readonly type: 'lost' }

const types = ['hello', 'mail', 'request', 'webhook', 'faults', 'time', 'cleared', 'restored'] as const

/** The one connection of the page. */
export const events$: Observable<Heard> = new Observable<Heard>(subscriber => {
  const source = new EventSource('/__local__/events')
  for (const type of types)
    source.addEventListener(type, ({ data }: MessageEvent<string>) =>
      subscriber.next({ type, ...(JSON.parse(data) as object) } as Heard),
    )
  source.onerror = () => subscriber.next({ type: 'lost' })
  return () => source.close()
}).pipe(share())

/** Whether the page is connected to the platform. */
export const isConnected$ = live(events$.pipe(map(({ type }) => type !== 'lost')))

const isHello = (event: Heard): event is Extract<Heard, { type: 'hello' }> => event.type === 'hello'

/** The answer of `path`, loaded at each start of the connection and updated by events. */
function liveFrom<T>(
  path: string,
  read: (answer: unknown) => T,
  apply: (value: T, event: Heard) => T,
): Observable<Live<T>> {
  const loaded$ = events$.pipe(
    filter(isHello),
    switchMap(() =>
      merge(
        of({ kind: 'load' } as const),
        from(askLocal('GET', path)).pipe(
          map(answer => ({ kind: 'loaded', value: read(answer) }) as const),
          catchError((error: unknown) => of({ kind: 'failed', error: error as Error } as const)),
        ),
      ),
    ),
  )
  const heard$ = events$.pipe(map(event => ({ kind: 'event', event }) as const))
  return live(
    merge(loaded$, heard$).pipe(
      scan(
        ({ state, missed }: Scanned<T>, step): Scanned<T> => {
          switch (step.kind) {
            case 'load':
              return { state, missed: [] }
            case 'loaded':
              // The answer may be older than the events that came while it was loading.
              return { state: { status: 'ready', value: (missed ?? []).reduce(apply, step.value) }, missed: null }
            case 'failed':
              return { state: { status: 'failed', error: step.error }, missed: null }
            case 'event':
              if (missed) return { state, missed: [...missed, step.event] }
              return state.status === 'ready'
                ? { state: { status: 'ready', value: apply(state.value, step.event) }, missed }
                : { state, missed }
          }
        },
        { state: { status: 'pending' }, missed: null } as Scanned<T>,
      ),
      map(({ state }) => state),
    ),
  )
}

interface Scanned<T> {
  readonly state: Live<T>
  /** Events since loading began; null while nothing is loading. */
  readonly missed: readonly Heard[] | null
}

/** Kept while the page is open, so that pages opened later show it at once. */
function live<T>(source$: Observable<T>): Observable<T> {
  const kept$ = source$.pipe(shareReplay({ bufferSize: 1, refCount: false }))
  kept$.subscribe()
  return kept$
}

const itemsOf = <T>(answer: unknown) => (answer as { readonly items: readonly T[] }).items

/** Puts the item first, and removes an older one with its id. */
const first = <T extends { readonly id: unknown }>(items: readonly T[], item: T, limit: number) =>
  [item, ...items.filter(({ id }) => id !== item.id)].slice(0, limit)

/** Newest first. */
export const mails$ = liveFrom<readonly LocalMail[]>('mails', itemsOf, (mails, event) =>
  event.type === 'mail' ? first(mails, event.mail, 500) : mails,
)

/** Newest first. */
export const requests$ = liveFrom<readonly LoggedRequest[]>('requests', itemsOf, (requests, event) =>
  event.type === 'request' ? first(requests, event.request, 200) : event.type === 'cleared' ? [] : requests,
)

export const faults$ = liveFrom<readonly PlannedFault[]>('faults', itemsOf, (faults, event) =>
  event.type === 'faults' ? event.faults : faults,
)

/** The platform's time, with this page's time at that moment. */
export interface Clocked extends LocalTime {
  readonly heardAt: number
}

const clocked = (time: LocalTime): Clocked => ({ ...time, heardAt: Date.now() })

export const time$ = liveFrom<Clocked>(
  'time',
  answer => clocked(answer as LocalTime),
  (time, event) => (event.type === 'time' ? clocked(event.time) : time),
)
