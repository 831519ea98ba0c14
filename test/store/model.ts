import { AuthError, mutation, patch, query, type Kit } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { outcome, ownKit, tokensOf } from './own-backend'
import { people, type Step } from './steps'

/** The server's state of a user: the writes that it has done, in its own order. */
interface Page {
  readonly owner: string
  readonly log: readonly number[]
}

interface Read {
  readonly owner: string
  readonly signal: AbortSignal
  /** A server's answer, which may arrive long after it was given. */
  said: Page | undefined
  resolve(page: Page): void
  reject(error: unknown): void
}

interface Write {
  readonly id: number
  readonly owner: string
  isDone: boolean
  said: Page | undefined
  resolve(page: Page): void
  reject(error: unknown): void
}

/**
 * The kit beside the simplest model of what may be shown: the signed-in user, the server's state, the messages under way.
 */
export class Model {
  readonly own = ownKit()
  present = 'ada'
  readonly server = new Map<string, number[]>(people.map(person => [person, []]))
  reads: Read[] = []
  writes: Write[] = []
  /** Shown in a value after the platform had confirmed it: from then on it must be shown. */
  confirmed = new Set<number>()
  readonly answered = new Set<number>()
  /** The app's pending writes, with their users. */
  readonly calls = new Map<number, string>()
  readonly problems: string[] = []
  readonly promises: ReturnType<typeof outcome>[] = []
  readonly subscriptions = new Map<number, { unsubscribe(): void }>()
  readonly callers = new Map<number, AbortController>()
  #ids = 0
  #lastStart = -Infinity

  readonly page$ = query(
    (_, _input: object, { signal }) => {
      const { clock } = this.own
      this.check(clock.now() - this.#lastStart >= 300, 'two loads of one store within 300 ms')
      this.check(
        this.reads.every(read => read.signal.aborted),
        'two loads of one store at once',
      )
      this.#lastStart = clock.now()
      return new Promise<Page>((resolve, reject) => {
        this.reads = [{ owner: this.present, signal, said: undefined, resolve, reject }]
      })
    },
    { key: 'page', ownedBy: 'session', signedOut: { owner: 'none', log: [] } },
  )

  readonly append = mutation(
    (_: Kit, { id, owner }: { id: number; owner: string }) => {
      this.check(owner === this.present, `a write of ${owner} sent as ${this.present}`)
      return new Promise<Page>((resolve, reject) => {
        this.writes.push({ id, owner, isDone: false, said: undefined, resolve, reject })
      })
    },
    {
      refreshes: () => [this.page$],
      // Its overlay may be on a value that a load has brought after the server did the write.
      optimistic: ({ id }) => [
        patch(this.page$, {}, page => (page.log.includes(id) ? page : { ...page, log: [...page.log, id] })),
      ],
      writes: (_, page) => [patch(this.page$, {}, () => page)],
    },
  )

  get store() {
    return this.page$(this.own.kit)
  }

  check(isFine: boolean, problem: string): void {
    if (!isFine) this.problems.push(problem)
  }

  /** Whether this value may be shown now. */
  see(page: Page): void {
    const { owner, log } = page
    this.check(owner === this.present, `a value of ${owner} under ${this.present}`)
    this.check(new Set(log).size === log.length, `a write shown twice: ${log.join()}`)
    const done = this.server.get(owner) ?? []
    for (const id of log)
      this.check(done.includes(id) || this.calls.get(id) === owner, `write ${id} is shown, which has failed`)
    for (const id of this.confirmed) this.check(log.includes(id), `write ${id} was confirmed and shown, and is gone`)
    for (const id of log) if (this.answered.has(id)) this.confirmed.add(id)
  }

  reach(write: Write): void {
    if (write.isDone) return
    write.isDone = true
    const log = this.server.get(write.owner) ?? []
    log.push(write.id)
    write.said = { owner: write.owner, log: [...log] }
  }

  become(person: string): void {
    this.present = person
    this.confirmed = new Set()
    this.#lastStart = -Infinity
    this.own.tokens.write(person === 'none' ? null : tokensOf(person))
  }

  write(id: number, owner: string): void {
    this.calls.set(id, owner)
    const promise = this.append(this.own.kit, { id, owner })
    promise.then(
      () => this.calls.delete(id),
      () => this.calls.delete(id),
    )
    this.promises.push(outcome(promise))
  }

  takeWrite(index: number): Write | undefined {
    const write = this.writes[index % Math.max(1, this.writes.length)]
    this.writes = this.writes.filter(other => other !== write)
    return write
  }

  async perform(step: Step): Promise<void> {
    const { clock } = this.own
    switch (step.do) {
      case 'subscribe':
        if (!this.subscriptions.has(step.who))
          this.subscriptions.set(
            step.who,
            this.store.subscribe({
              next: page => this.see(page),
              error: () => this.subscriptions.delete(step.who),
            }),
          )
        break
      case 'unsubscribe':
        this.subscriptions.get(step.who)?.unsubscribe()
        this.subscriptions.delete(step.who)
        break
      case 'get':
      case 'refresh': {
        const caller = new AbortController()
        this.callers.set(step.who, caller)
        this.promises.push(outcome(this.store[step.do]({ signal: caller.signal })))
        break
      }
      case 'leave':
        this.callers.get(step.who)?.abort()
        break
      case 'write':
        if (this.present !== 'none') this.write(++this.#ids, this.present)
        break
      case 'reach': {
        // The server receives messages in any order.
        const write = this.writes[step.which]
        if (write) this.reach(write)
        for (const read of this.reads)
          read.said ??= { owner: read.owner, log: [...(this.server.get(read.owner) ?? [])] }
        break
      }
      case 'answer read':
        for (const read of this.reads.splice(0))
          read.resolve(read.said ?? { owner: read.owner, log: [...(this.server.get(read.owner) ?? [])] })
        break
      case 'fail read':
        for (const read of this.reads.splice(0)) read.reject(new AuthError('NETWORK_ERROR', 'no answer'))
        break
      case 'answer write': {
        const write = this.takeWrite(step.which)
        if (!write) break
        this.reach(write)
        this.answered.add(write.id)
        write.resolve(write.said as Page)
        break
      }
      case 'refuse write': {
        const write = this.takeWrite(step.which)
        if (!write) break
        // The server does not refuse what it has done.
        if (write.isDone) this.writes.push(write)
        else write.reject(new AuthError('USER_EMAIL_ALREADY_EXISTS', 'refused', { status: 409 }))
        break
      }
      case 'lose write':
        this.takeWrite(step.which)?.reject(new AuthError('NETWORK_ERROR', 'no answer'))
        break
      case 'sign out':
        this.become('none')
        break
      case 'sign in':
        this.become(step.as)
        break
      case 'wait':
        await clock.advance(step.millis)
    }
    await clock.advance(0)
    this.look()
  }

  look(): void {
    const { snapshot } = this.store
    if (snapshot.status !== 'ready') return
    this.see(snapshot.value)
    this.check(snapshot.unconfirmed <= this.calls.size, `${snapshot.unconfirmed} unconfirmed writes are too many`)
  }

  /** Everything is answered while all stores are watched; then all watchers leave. */
  async finish(): Promise<void> {
    const { clock, timers, kit } = this.own
    await this.perform({ do: 'subscribe', who: 9 })
    for (let rounds = 0; rounds < 10; rounds++) {
      while (this.writes.length > 0) await this.perform({ do: 'answer write', which: 0 })
      await this.perform({ do: 'answer read' })
      await clock.advance(300)
    }
    const { snapshot } = this.store
    const expected = { owner: this.present, log: this.server.get(this.present) ?? [] }
    if (snapshot.status !== 'ready') this.problems.push(`in the end it is ${snapshot.status}`)
    else {
      const { value, unconfirmed, refreshing, error } = snapshot
      this.check(
        JSON.stringify(value) === JSON.stringify(expected),
        'in the end it shows another value than the server',
      )
      this.check(unconfirmed === 0 && !refreshing && !error, 'in the end something is left of writes or loads')
    }
    this.check(
      this.promises.every(({ value }) => value !== 'pending'),
      'a promise never settles',
    )
    for (const subscription of this.subscriptions.values()) subscription.unsubscribe()
    await clock.advance(5000)
    this.check([...coreOf(kit).cells].length === 0, 'a cell is left')
    this.check(timers.running === 0, `${timers.running} timers are left`)
    this.check(coreOf(kit).writes.size === 0, 'a write is left')
  }
}
