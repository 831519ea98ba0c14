import { Observable, Subscription } from 'rxjs'
import { millisSince, momentOf, type Clock, type Moment } from '../core/clock'
import { isBrowser } from '../core/host'
import { Listeners } from '../core/listeners'
import { onAbort } from '../core/signals'
import { sessions$ } from '../entities/sessions/client'
import { misuse, toAuthError } from '../errors/auth-error'
import { signOutSession } from '../session/sign-out'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import { KitState, type State } from '../store/read/state'
import type { Owner } from '../transport/access-token'
import { Age, LimitRecords, type LimitReason, type LimitRecord } from './limit-records'

/**
 * How near the session is to its end. `why`: `idle`, there was no activity, or `limit`, the session has its greatest age. Without a
 * session it is `active`, or `ended` until the next sign-in.
 */
export type SessionLimit =
  | { readonly status: 'active' }
  | { readonly status: 'ending'; readonly endsAt: Date; readonly why: LimitReason }
  | { readonly status: 'ended'; readonly why: LimitReason }

/** When `sessionLimits` ends a session: at least one of the first two. */
export interface SessionLimitOptions {
  /** After this time without activity in any tab. */
  readonly idleMillis?: number
  /** This long after the sign-in, whatever the user does. */
  readonly absoluteMillis?: number
  /** How long before the end the state is `ending`. Default 60 000. */
  readonly warnMillis?: number
  /** Emits at each activity of the user. Default: pointer, keys and wheel of the page; outside browsers it is needed. */
  readonly activity$?: Observable<unknown>
}

/** The limits of the session of one app. */
export interface SessionLimits {
  readonly limit$: State<SessionLimit>
  /** Counts as activity, for a button. */
  readonly stayActive: () => void
  /** Ends the watch; the session stays. */
  readonly stop: () => void
}

/** Activity is noted at most this often: a session without any more of it ends this much earlier. */
const noteMillis = 5_000

/** A timer may stand still while the machine sleeps, so none waits for longer. */
const lookMillis = 60_000

const active: SessionLimit = { status: 'active' }

/**
 * Signs out, here and on the platform, after a time without activity, or when the session has reached an age: `auth$` then has the
 * reason `idle` or `limit`. All tabs share the time, and each person of the browser has an own one. Call it where the app is created;
 * until `stop()`, another call returns the same limits. On a server it does nothing.
 *
 * Nothing relies on a timer: it looks when the page starts or is shown again, and before the first call after a sleep, which is not
 * sent. Only input of the user is activity: no load, poll or refresh. The platform's `sessions$` tells the age of the session; that
 * of one which is not in it, such as an anonymous one, counts from its first page in this browser.
 *
 * It protects a screen that is left alone. It does not end a stolen token, and a server goes on.
 *
 * Throws INVALID_INPUT without a limit, and for one that is not longer than `warnMillis`.
 *
 * @example
 * const limits = sessionLimits(app, { idleMillis: 15 * 60_000, absoluteMillis: 12 * 3_600_000 })
 * limits.limit$.subscribe(limit => {
 *   if (limit.status === 'ending') console.log(`signed out at ${limit.endsAt.toLocaleTimeString()}`)
 * })
 */
export function sessionLimits(app: Kit, options: SessionLimitOptions): SessionLimits {
  const core = coreOf(app)
  core.assertAlive()
  const running = slot(app, sessionLimits, () => new Set<SessionLimits>())
  for (const limits of running) return limits
  const limits = new Limits(core, checked(options))
  if (options.activity$ || isBrowser()) limits.start(options.activity$ ?? inputs())
  const { limit$, stayActive } = limits
  const stop = () => {
    running.clear()
    limits.stop()
  }
  const made = { limit$, stayActive, stop }
  running.add(made)
  return made
}

type CheckedLimits = Readonly<Record<'idleMillis' | 'absoluteMillis' | 'warnMillis', number>>

function checked({
  idleMillis = Infinity,
  absoluteMillis = Infinity,
  warnMillis = 60_000,
}: SessionLimitOptions): CheckedLimits {
  if (!(typeof warnMillis === 'number' && warnMillis >= 0))
    throw misuse('warnMillis', `must be 0 or more milliseconds, not ${String(warnMillis)}`)
  for (const [field, millis] of Object.entries({ idleMillis, absoluteMillis }))
    if (!(typeof millis === 'number' && millis > warnMillis))
      throw misuse(field, `must be more than warnMillis, which is ${warnMillis}, not ${String(millis)}`)
  if (idleMillis === absoluteMillis && idleMillis === Infinity)
    throw misuse('idleMillis', 'is missing, and absoluteMillis too: give at least one of them')
  return { idleMillis, absoluteMillis, warnMillis }
}

/** Input of the user, also where a handler of the page stops it. */
function inputs(): Observable<unknown> {
  const names = ['pointerdown', 'pointermove', 'keydown', 'wheel']
  // Not by operators of RxJS, which are 32 modules to load on Node.
  return new Observable(subscriber => {
    const next = subscriber.next.bind(subscriber)
    for (const name of names) window.addEventListener(name, next, { capture: true, passive: true })
    return () => names.forEach(name => window.removeEventListener(name, next, true))
  })
}

class Limits {
  readonly limit$: State<SessionLimit>

  readonly #core: Core
  readonly #clock: Clock
  readonly #limits: CheckedLimits
  readonly #records: LimitRecords
  readonly #idle: Age
  readonly #age: Age
  readonly #shown: Listeners<[]>
  readonly #all = new Subscription()
  #state = active
  #isShown = true
  #noted: Moment | undefined
  /** Whose session is being ended, and for whom the platform has been asked. */
  #ending: Owner | undefined
  #asked: Owner | undefined
  #cancel: (() => void) | undefined

  constructor(core: Core, limits: CheckedLimits) {
    this.#core = core
    // No timer of the kit, on which something waits.
    this.#clock = core.clock.uncounted
    this.#limits = limits
    this.#records = new LimitRecords(core)
    this.#idle = new Age(this.#clock)
    this.#age = new Age(this.#clock)
    this.#shown = new Listeners(core.onUnhandled)
    this.limit$ = new KitState(
      () => this.#state,
      (subscriber, callback) => {
        core.committedSession.listen(subscriber, callback)
        subscriber.add(this.#shown.add(callback))
      },
    )
  }

  start(activity$: Observable<unknown>): void {
    const { session, changing, host, onUnhandled, committedSession } = this.#core
    this.#all.add(
      changing.add(cause => {
        // A tab that ends it leaves the record to the others.
        this.#records.leave(cause !== 'elsewhere' && session.identity.kind === 'signed-out')
        this.#look()
      }),
    )
    this.#all.add(session.using.add(() => this.#look()))
    this.#all.add(onAbort(session.ended, this.stop))
    this.#all.add(() => this.#cancel?.())
    // Watched, so that it learns of other tabs.
    committedSession.look()
    this.#all.add(session.retain())
    const act = () => void this.#act(false)
    this.#all.add(activity$.subscribe({ next: act, error: error => onUnhandled(toAuthError(error)) }))
    this.#all.add(host.visible$?.subscribe(isVisible => isVisible && void this.#check()))
    this.#all.add(
      host.shown$?.subscribe(isShown => {
        this.#isShown = isShown
        if (isShown) void this.#check()
        else this.#cancel?.()
      }),
    )
  }

  readonly stayActive = (): void => {
    void this.#act(true)
  }

  readonly stop = (): void => {
    this.#all.unsubscribe()
  }

  async #act(isAsked: boolean): Promise<void> {
    if (!isAsked && this.#noted && millisSince(this.#noted, this.#clock) < noteMillis) return
    // First: activity that comes too late revives nothing.
    const record = (await this.#check()) && this.#records.present()
    if (!record) return
    this.#noted = momentOf(this.#clock)
    this.#records.act(record, this.#clock.now())
    this.#look()
  }

  /** Looks after another tab may have written the token store. Undefined: there is no session, or it ends. */
  async #check(): Promise<LimitRecord | undefined> {
    try {
      await this.#core.session.sync()
    } catch {
      // A call that needs the tokens reports the error.
      return undefined
    }
    return this.#all.closed ? undefined : this.#look()
  }

  #look(): LimitRecord | undefined {
    const { session } = this.#core
    this.#cancel?.()
    const record = session.identity.kind === 'user' ? this.#records.present() : undefined
    if (!record) {
      const why = session.identity.kind === 'signed-out' ? this.#records.last()?.ended : undefined
      this.#show(why ? { status: 'ended', why } : active)
      return undefined
    }
    const { warnMillis } = this.#limits
    const [millis, why] = this.#left(record)
    if (record.ended !== undefined || millis <= 0) {
      this.#end({ ...record, ended: record.ended ?? why })
      return undefined
    }
    const isEnding = millis <= warnMillis
    this.#show(isEnding ? { status: 'ending', endsAt: new Date(this.#clock.now() + millis), why } : active)
    // Another tab may be active meanwhile.
    const next = isEnding ? Math.min(millis, 1000) : Math.min(millis - warnMillis, lookMillis)
    const check = () => void this.#check()
    if (this.#isShown) this.#cancel = this.#clock.setTimeout(check, next, { keepAlive: false })
    return record
  }

  /** The time that is left, and the limit that is nearer. */
  #left({ activeAt, startedAt, createdAt }: LimitRecord): [millis: number, why: LimitReason] {
    const { idleMillis, absoluteMillis } = this.#limits
    const { serverClock, identity } = this.#core.session
    if (absoluteMillis < Infinity && createdAt === undefined && this.#asked !== identity.owner) {
      this.#asked = identity.owner
      void this.#askCreation(identity.owner)
    }
    const age =
      createdAt === undefined
        ? this.#age.millis(startedAt)
        : this.#age.millis(createdAt, this.#clock.now() - serverClock.now())
    const [idle, limit] = [idleMillis - this.#idle.millis(activeAt), absoluteMillis - age]
    return idle <= limit ? [idle, 'idle'] : [limit, 'limit']
  }

  /** Once for each session of the browser. The next page tries again if it fails. */
  async #askCreation(owner: Owner): Promise<void> {
    try {
      // In another turn: this may be part of a commit.
      await Promise.resolve()
      const all = await sessions$(this.#core.kit).get({ maxAgeMillis: Infinity })
      const createdAt = all.find(({ isCurrentSession }) => isCurrentSession)?.createdAt.getTime()
      const record = owner === this.#core.session.identity.owner ? this.#records.present() : undefined
      if (!record || createdAt === undefined) return
      this.#records.write({ ...record, createdAt })
      this.#look()
    } catch {
      // This browser's own time counts meanwhile.
    }
  }

  #end(record: LimitRecord & { readonly ended: LimitReason }): void {
    const { session, onUnhandled } = this.#core
    const { owner } = session.identity
    if (this.#ending === owner) return
    this.#ending = owner
    this.#records.write(record)
    // `onUnhandled` has been told.
    signOutSession(session, onUnhandled, record.ended).catch(() => undefined)
  }

  #show(next: SessionLimit): void {
    if (isAlike(this.#state, next)) return
    const { commits } = this.#core
    commits.run(`session limit: ${next.status}`, () => {
      this.#state = next
      commits.touch({ name: 'session limit', take: () => true, tell: () => this.#shown.tell() })
    })
  }
}

/** The end is the same but for what two clocks differ. */
function isAlike(one: SessionLimit, other: SessionLimit): boolean {
  if (one.status !== other.status) return false
  if (one.status === 'active' || other.status === 'active') return true
  const isSoon =
    one.status === 'ending' && other.status === 'ending' ? Math.abs(+one.endsAt - +other.endsAt) < 1000 : true
  return one.why === other.why && isSoon
}
