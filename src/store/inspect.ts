import type { Observable } from 'rxjs'
import { coreOf } from './kit'
import type { Kit } from './kit'
import type { TraceEvent } from '../transport/trace'

/** Every request, retry, refresh and commit with its cause; nothing in it needs hiding. Costs nothing while nobody listens. */
export function trace$(kit: Kit<never>): Observable<TraceEvent> {
  return coreOf(kit).transport.trace.events$
}
