import { Observable, Subscription } from 'rxjs'
import { abortWith } from '../../core/signals'
import { sessionChanged } from '../../session/identity'
import type { Identity } from '../../session/identity'
import type { Core } from '../../store/core'
import type { Kit } from '../../store/kit'
import { endBeside } from './kit-beside'

/** While `owner` is signed in and the kit lives. */
export interface Life {
  readonly gone: AbortSignal
  end(): void
}

/** Watches the session until `end`. */
export function lifeOf({ session, committedSession }: Core, owner: Identity): Life {
  const gone = new AbortController()
  const watching = new Observable<never>(subscriber => {
    committedSession.listen(subscriber, () => {
      if (session.identity !== owner) subscriber.complete()
    })
  }).subscribe({
    complete() {
      abortWith(gone, session.ended.aborted ? session.ended.reason : sessionChanged())
    },
  })
  return {
    gone: gone.signal,
    end() {
      watching.unsubscribe()
    },
  }
}

/** Long enough for one request to the app's backend. */
const confirmationMillis = 60_000

/** Ends the session of `beside` when it is over, and `life`. */
export function keepForAWhile(core: Core, beside: Kit, life: Life): void {
  let isOver = false
  const leaving = new Subscription()
  const end = () => {
    if (isOver) return
    isOver = true
    cancel()
    leaving.unsubscribe()
    life.gone.removeEventListener('abort', end)
    life.end()
    endBeside(core, beside)
  }
  const cancel = core.clock.setTimeout(end, confirmationMillis, { keepAlive: false })
  life.gone.addEventListener('abort', end)
  // It may be hidden already.
  leaving.add(
    core.host.shown$?.subscribe(isShown => {
      if (!isShown) end()
    }),
  )
  if (life.gone.aborted) end()
}

/** Ends whatever session `step` still comes to. */
export function drop(core: Core, beside: Kit, step: Promise<unknown>): void {
  const end = () => {
    endBeside(core, beside)
  }
  if (core.session.ended.aborted) end()
  else void step.then(end, end)
}
