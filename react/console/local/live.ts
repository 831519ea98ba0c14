import type { LocalEvent, LocalMail, LocalTime, LoggedRequest, PlannedFault } from 'rxauth/platform'
import {
  catchError,
  defer,
  filter,
  map,
  merge,
  Observable,
  of,
  scan,
  share,
  shareReplay,
  startWith,
  switchMap,
} from 'rxjs'
import { askLocal } from './ask-local'

/** The state of data that events keep current. */
export type LiveData<T> =
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

/** The id of the platform's initial project; null until the first event. */
export const projectId$: Observable<string | null> = live(
  events$.pipe(
    filter(isHello),
    map(({ projectId }) => projectId),
  ),
)

/** The answer of `path`, loaded for each subscriber. */
export function answerOf<T>(path: string, read = (answer: unknown) => answer as T): Observable<LiveData<T>> {
  return defer(() => askLocal('GET', path)).pipe(
    map((answer): LiveData<T> => ({ status: 'ready', value: read(answer) })),
    catchError((error: unknown) => of<LiveData<T>>({ status: 'failed', error: error as Error })),
    startWith<LiveData<T>>({ status: 'pending' }),
  )
}

interface Scanned<T> {
  readonly state: LiveData<T>
  /** Events since loading began; null while nothing is loading. */
  readonly missed: readonly Heard[] | null
}

/** The answer of `path`, loaded at each start of the connection and updated by events. */
function liveFrom<T>(
  path: string,
  read: (answer: unknown) => T,
  apply: (value: T, event: Heard) => T,
): Observable<LiveData<T>> {
  const answers$ = events$.pipe(
    filter(isHello),
    switchMap(() => answerOf(path, read)),
  )
  const steps$ = merge(
    answers$.pipe(map(answer => (before: Scanned<T>) => answered(before, answer, apply))),
    events$.pipe(map(event => (before: Scanned<T>) => told(before, event, apply))),
  )
  const first: Scanned<T> = { state: { status: 'pending' }, missed: null }
  return live(
    steps$.pipe(
      scan((before, step) => step(before), first),
      map(({ state }) => state),
    ),
  )
}

/** While it loads once more, what is known is shown. */
function answered<T>(
  { state, missed }: Scanned<T>,
  answer: LiveData<T>,
  apply: (value: T, event: Heard) => T,
): Scanned<T> {
  switch (answer.status) {
    case 'pending':
      return { state, missed: [] }
    case 'failed':
      return { state: answer, missed: null }
    case 'ready':
      // The answer may be older than the events that came while it was loading.
      return { state: { status: 'ready', value: (missed ?? []).reduce(apply, answer.value) }, missed: null }
  }
}

function told<T>({ state, missed }: Scanned<T>, event: Heard, apply: (value: T, event: Heard) => T): Scanned<T> {
  if (missed) return { state, missed: [...missed, event] }
  if (state.status !== 'ready') return { state, missed }
  return { state: { status: 'ready', value: apply(state.value, event) }, missed }
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
