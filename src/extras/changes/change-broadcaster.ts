import { jsonText } from '../../core/values'
import type { Clock } from '../../core/clock'
import { isThenable, thenSync, type Maybe } from '../../core/promises'
import { coreOf } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { EventStream, RecentEvents, type Recent } from './event-stream'
import { MayKnow, type StreamReader, type Verdict } from './may-know'
import { messageIn, type EventNotice, type RelayedEvent } from './message'
import { Questions } from './questions'

/** A proxy on the way closes a connection that is silent for longer. */
const beatMillis = 20_000

/** Pages that may have missed something are told so within this time, so that they do not all load at once. */
const spreadMillis = 10_000

/** So many events wait for the answer to who may know; pages load what they show, if there are more. */
const mostPending = 1000

const mostStreams = 100

/** The number of deleted users whose tokens are refused until they expire. */
const mostGone = 10_000

/** A user's streams. */
interface Streams extends StreamReader {
  readonly streams: Set<EventStream>
}

/** Tells the streams of this process of each event once, in the order in which it is known who may know. */
export class ChangeBroadcaster {
  readonly #clock: Clock
  readonly #report: (error: unknown) => void
  readonly #questions: Questions | undefined
  readonly #readers = new Map<string, Streams>()
  readonly #recent: RecentEvents
  readonly #mayKnow: MayKnow
  readonly #gone = new Set<string>()
  #pending = 0
  #cancelBeat: (() => void) | undefined
  #isClosed = false

  /** `mayKnow`: in place of the platform's members and permissions. */
  constructor(
    server: Kit<'server'>,
    report: (error: unknown) => void,
    mayKnow: ((userId: string, change: EventNotice) => Maybe<boolean>) | undefined,
  ) {
    const { clock } = coreOf(server)
    this.#clock = clock
    this.#report = report
    this.#questions = mayKnow && new Questions({ clock, mayKnow, isReading: id => this.#readers.has(id), report })
    this.#recent = new RecentEvents(this.#clock)
    this.#mayKnow = new MayKnow(server, this.#readers)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Whether the event with this id was received before. */
  has(id: string): boolean {
    return this.#recent.has(id)
  }

  /** Whether the user has been deleted. */
  isGone(userId: string): boolean {
    return this.#gone.has(userId)
  }

  /** Takes the text of an event, of this process or another one. */
  take(text: string): void {
    const message = this.#isClosed ? undefined : messageIn(text)
    if (!message || (message.id && !this.#recent.claim(message.id))) return
    if (!message.change) {
      // Pages that come back later, too.
      this.#recent.begin()
      this.#missedByAll()
      return
    }
    const recent = this.#recent.add(message)
    this.#mayKnow.note(recent.message)
    if (this.#readers.size === 0 || this.#pending >= mostPending) {
      this.#recent.settle(recent)
      this.#missedByAll()
    } else void this.#tell(recent)
    if (recent.message.change.type === 'user.deleted') this.#part(recent.message.change)
  }

  /** A stream for the user's page, which has last seen the event `lastId`. Undefined: the user has too many. */
  open(userId: string, lastId: string): EventStream | undefined {
    const reader: Streams = this.#readers.get(userId) ?? {
      userId,
      teams: new Map<string, Verdict>(),
      knownAt: undefined,
      streams: new Set(),
    }
    if (reader.streams.size >= mostStreams) return undefined
    const stream = new EventStream({
      clock: this.#clock,
      lastId,
      position: () => this.#recent.position,
      ended: () => {
        reader.streams.delete(stream)
        if (reader.streams.size === 0) this.#readers.delete(userId)
        if (this.#readers.size === 0) this.#cancelBeat?.()
      },
    })
    if (this.#readers.size === 0) this.#beatLater()
    this.#readers.set(userId, reader)
    reader.streams.add(stream)
    if (reader.knownAt === undefined && !this.#questions) void this.#meet(reader)
    void this.#resume(reader, stream, this.#recent.after(lastId))
    return stream
  }

  /** False if it was closed before. */
  close(): boolean {
    if (this.#isClosed) return false
    this.#isClosed = true
    for (const stream of this.#streams()) stream.end()
    return true
  }

  async #tell(recent: Recent): Promise<void> {
    this.#pending++
    try {
      const judge = await this.#judge(recent.message)
      // In one step for all of them, so that each gets the id of this event.
      if (!this.#questions) this.#recent.settle(recent)
      const told = [...this.#readers.values()].flatMap(reader => {
        const telling = thenSync(
          () => judge(reader.userId),
          verdict => {
            for (const stream of reader.streams) this.#pass(recent.message.change, verdict, stream)
          },
        )
        return isThenable(telling) ? [telling] : []
      })
      await Promise.all(told)
    } catch (error) {
      this.#report(error)
      this.#missedByAll()
    } finally {
      this.#pending--
      this.#recent.settle(recent)
    }
  }

  async #judge(message: RelayedEvent): Promise<(userId: string) => Maybe<Verdict>> {
    const questions = this.#questions
    if (!questions) return this.#mayKnow.judge(message)
    const text = jsonText(message.change)
    return userId =>
      thenSync(
        () => questions.ask(userId, message.change, text),
        may => (may === undefined ? 'unsure' : may ? 'told' : 'untold'),
      )
  }

  #pass(change: EventNotice, verdict: Verdict, stream: EventStream): void {
    if (verdict === 'told') stream.tell(jsonText(change))
    if (verdict === 'unsure') this.#missedBy(stream)
  }

  /** Tells a page that comes back what has happened meanwhile. */
  async #resume(reader: Streams, stream: EventStream, missed: readonly Recent[] | null): Promise<void> {
    if (!missed) {
      this.#missedBy(stream)
      return
    }
    try {
      const told = missed.map(async ({ message }) => {
        const verdict = await (await this.#judge(message))(reader.userId)
        const isOver = message.change.type === 'team.deleted' && verdict === 'untold'
        // The platform no longer says who was in the team.
        this.#pass(message.change, isOver && !this.#questions ? 'unsure' : verdict, stream)
      })
      await Promise.all(told)
      stream.caughtUp()
    } catch (error) {
      this.#report(error)
      this.#missedBy(stream)
    }
  }

  async #meet(reader: Streams): Promise<void> {
    try {
      await this.#mayKnow.meet(reader)
    } catch (error) {
      // A deletion of a team that follows is told as `missed`.
      this.#report(error)
    }
  }

  /** Ends the streams of a user who has been deleted. */
  #part(change: EventNotice): void {
    const { userId = '' } = change.data
    this.#gone.add(userId)
    const [oldest] = this.#gone
    if (this.#gone.size > mostGone && oldest !== undefined) this.#gone.delete(oldest)
    for (const stream of this.#readers.get(userId)?.streams ?? []) {
      if (!this.#questions) stream.tell(jsonText(change))
      stream.end()
    }
  }

  #missedByAll(): void {
    for (const stream of this.#streams()) this.#missedBy(stream)
  }

  #missedBy(stream: EventStream): void {
    stream.missed(this.#clock.random() * spreadMillis)
  }

  #streams(): readonly EventStream[] {
    return [...this.#readers.values()].flatMap(({ streams }) => [...streams])
  }

  #beatLater(): void {
    const beat = () => {
      for (const stream of this.#streams()) stream.beat()
      if (this.#readers.size > 0) this.#beatLater()
    }
    this.#cancelBeat?.()
    this.#cancelBeat = this.#clock.setTimeout(beat, beatMillis, { keepAlive: false })
  }
}
