import { BehaviorSubject, Subscription, type Observable, type TeardownLogic } from 'rxjs'
import type { Signal } from '../../core/web-types'
import { toAuthError, misuse } from '../../errors/auth-error'
import type { Owner } from '../../transport/access-token'
import { coreOf, type Core, type Kit } from '../../store/kit-parts'
import { KitState, type State } from '../../store/read/state'
import { LiveAttempt, type AttemptEnd, type Connection, type Open } from './attempt'

/** The pause after a connection that did not last; twice as long each time. */
const firstPauseMillis = 1000
const lastPauseMillis = 30_000

/**
 * A connection that is kept open for the signed-in user. `status$`: 'waiting' without one (signed out, not yet known, offline, a
 * pause after a failure), 'opening', 'open', and 'closed' for good.
 */
export interface LiveConnection {
  readonly status$: State<'waiting' | 'opening' | 'open' | 'closed'>
  /** Ends it for good. */
  close(): void
}

/**
 * Keeps a connection to the app's own backend open while a user is signed in. `open` gets an access token that is valid for 20 s
 * or more; it is called again for each new connection.
 *
 * The connection is closed before stores show another user, and opened again for that user. After a close with code 4001, or an
 * error with code or status 401, it opens with another token; after other closes, errors and openings that take 20 s, it waits
 * 1 s, then twice as long each time up to 30 s. It opens anew after the machine has slept, and waits while the browser is offline
 * or the page is in the back-forward cache. A token that expires while the connection is open does not close it: a server that
 * wants this closes with 4001.
 *
 * `signal` aborts before the connection is closed: give it to `addEventListener`, so that no later event reaches a listener. What
 * `open` throws goes to `onUnhandled`, once until a connection opens.
 *
 * @example
 * const live = liveConnection(app, (token, signal) => {
 *   const socket = new WebSocket('wss://api.example.com/live', ['live', token])
 *   socket.addEventListener('message', ({ data }) => console.log(data), { signal })
 *   return socket
 * })
 * live.status$.subscribe(status => console.log(status))
 */
export function liveConnection(
  app: Kit,
  open: (token: string, signal: Signal) => Connection | PromiseLike<Connection>,
): LiveConnection {
  const core = coreOf(app)
  core.assertAlive()
  if (typeof open !== 'function') throw misuse('open', 'is not a function; pass (token, signal) => new WebSocket(…)')
  const live = new LiveFeed(core, open)
  return {
    status$: live.status$,
    close() {
      live.end()
    },
  }
}

type Status = LiveConnection['status$']['value']

class LiveFeed {
  readonly status$: State<Status>

  readonly #core: Core
  readonly #open: Open
  readonly #all = new Subscription()
  readonly #status$ = new BehaviorSubject<Status>('waiting')
  #attempt: LiveAttempt | undefined
  #owner: Owner
  #failures = 0
  #hasReported = false
  #cancelPause: (() => void) | undefined
  #isOnline = true
  #isShown = true

  constructor(core: Core, open: Open) {
    this.#core = core
    this.#open = open
    this.#owner = core.session.identity.owner
    this.status$ = new KitState(
      () => this.#status$.value,
      (subscriber, callback) => {
        const complete = () => {
          subscriber.complete()
        }
        // A subject that has ended emits no value.
        if (this.#all.closed) callback()
        subscriber.add(this.#status$.subscribe({ next: callback, complete }))
      },
    )
    this.#follow(core)
  }

  end(): void {
    if (this.#all.closed) return
    this.#all.unsubscribe()
    this.#attempt?.end()
    this.#status$.next('closed')
    this.#status$.complete()
  }

  #follow({ committedSession, host }: Core): void {
    const all = this.#all
    const follow = (source$: Observable<boolean> | undefined, next: (is: boolean) => void) => {
      all.add(source$?.subscribe(next))
    }
    const subscriber = {
      add: (end: TeardownLogic) => {
        all.add(end)
      },
      complete: () => {
        this.end()
      },
      get closed() {
        return all.closed
      },
    }
    all.add(() => this.#cancelPause?.())
    committedSession.listen(subscriber, () => {
      const { owner } = committedSession.identity
      const isOther = owner !== this.#owner
      this.#owner = owner
      if (isOther) this.#lookNow()
      else this.#look()
    })
    follow(host.online$, isOnline => {
      this.#isOnline = isOnline
      this.#lookNow()
    })
    follow(host.shown$, isShown => {
      this.#isShown = isShown
      this.#lookNow()
    })
    follow(host.visible$, isVisible => {
      if (isVisible) this.#lookNow()
    })
    this.#look()
  }

  /** Without the rest of a pause, after a change for which a failed connection may succeed. */
  #lookNow(): void {
    this.#cancelPause?.()
    this.#cancelPause = undefined
    this.#failures = 0
    this.#look()
  }

  /** Begins or ends what the present state demands. */
  #look(): void {
    if (this.#all.closed) return
    const mayRun = this.#isOnline && this.#isShown
    const attempt = this.#attempt
    if (attempt) {
      if (mayRun && !attempt.hasSlept) return
      this.#attempt = undefined
      attempt.end()
    }
    this.#show('waiting')
    const isSignedOut = this.#core.committedSession.kind === 'signed-out'
    // A subscriber of the state may have ended or begun it.
    if (mayRun && !isSignedOut && !this.#cancelPause && !this.#attempt && !this.#all.closed) this.#begin()
  }

  #begin(): void {
    const attempt = new LiveAttempt(this.#core, this.#open, {
      look: () => {
        this.#look()
      },
      show: status => {
        if (status === 'open') this.#hasReported = false
        this.#show(status)
      },
      ended: how => {
        if (attempt !== this.#attempt) return
        this.#attempt = undefined
        this.#ended(how, attempt.hasLasted)
      },
      threw: error => {
        if (!this.#hasReported) this.#core.onUnhandled(toAuthError(error))
        this.#hasReported = true
      },
    })
    this.#attempt = attempt
    void attempt.run()
  }

  #ended(how: AttemptEnd, hasLasted: boolean): void {
    if (hasLasted) this.#failures = 0
    if (how === 'again') {
      this.#look()
      return
    }
    if (how === 'failed') this.#pause()
    this.#show('waiting')
  }

  #pause(): void {
    const { clock } = this.#core
    const millis = Math.min(firstPauseMillis * 2 ** this.#failures++, lastPauseMillis)
    this.#cancelPause = clock.setTimeout(
      () => {
        this.#cancelPause = undefined
        this.#look()
      },
      millis * (0.5 + clock.random() / 2),
    )
  }

  #show(status: Status): void {
    if (!this.#all.closed && status !== this.#status$.value) this.#status$.next(status)
  }
}
