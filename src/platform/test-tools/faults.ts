import { bareReply, textType, type Reply } from '../http/reply'
import { patternOf, type Address } from '../http/router'

/** A fault to inject into requests. */
export interface Fault {
  /** Answered in place of the platform, as by a proxy in front of it: plain text, this status, and no work done. */
  readonly status?: number
  /** The answer is delayed by this much on the platform's clock; the work is done when the request arrives. */
  readonly delayMillis?: number
  /** Value of the header `retry-after`. */
  readonly retryAfter?: string
  /** The work is done and the answer is lost: the fetch rejects as when a connection breaks. */
  readonly loseResponse?: boolean
  /** An answer cut in half, one that is not JSON, or one with an error header that does not match the body. */
  readonly body?: 'truncated' | 'garbage' | 'wrong-code'
  /** The number of requests that get the fault. */
  readonly times?: number
}

/** Injects faults into requests. */
export interface Faults {
  /**
   * Applies to the next request of the route, or to the next `times` requests. Used before faults of `every`, in the
   * order of the calls.
   */
  next(route: string, fault: Fault): void
  /** Applies to every request of the route until the returned function is called. */
  every(route: string, fault: Fault): () => void
  /**
   * Lets the mail server of every project refuse connections, until the returned function is called. No mail arrives then: a
   * call that mails a code fails with 500, `sendEmail` says which users got no mail, and `sentEmails$` has the errors.
   */
  mail(fault: MailFault): () => void
  clear(): void
}

/** The answer of the mail server to each mail. */
export type MailFault = 'refused'

/** A fault that is planned, as a list shows it. */
export interface PlannedFault {
  readonly id: number
  /** A route, `*`, or `mail` for the mail server. */
  readonly route: string
  readonly fault: Fault | { readonly mail: MailFault }
  /** How many more requests get it; null: all of them. */
  readonly left: number | null
}

/** The order in which requests get faults: those of `next` before those of `every`. Those of mails come last in lists. */
const turns = ['next', 'every', 'mail'] as const
type FaultTurn = (typeof turns)[number]

interface CountedFault extends Omit<PlannedFault, 'left'> {
  readonly turn: FaultTurn
  left: number
}

export interface FaultPlan extends Faults {
  take(address: Address): Fault | undefined
  /** In the order in which requests get them. */
  list(): PlannedFault[]
  /** False if no fault with this id is left. */
  remove(id: number): boolean
  refusesMail(): boolean
}

/** Plans faults by route: `GET /users/me` as declared, or `*`. Calls `changed` whenever the list changes. */
export function planFaults(addresses: readonly Address[], changed: () => void = () => {}): FaultPlan {
  let planned: readonly CountedFault[] = []
  let lastId = 0
  const inTurn = () => turns.flatMap(turn => planned.filter(each => each.turn === turn))

  function add(turn: FaultTurn, route: string, fault: PlannedFault['fault'], left: number): () => void {
    const id = ++lastId
    planned = [...planned, { id, turn, route, fault, left }]
    changed()
    return () => void remove(id)
  }

  function remove(id: number): boolean {
    const others = planned.filter(each => each.id !== id)
    if (others.length === planned.length) return false
    planned = others
    changed()
    return true
  }

  return {
    next(route, fault) {
      requireRoute(route, addresses)
      add('next', route, fault, fault.times ?? 1)
    },
    every(route, fault) {
      requireRoute(route, addresses)
      return add('every', route, fault, fault.times ?? Infinity)
    },
    mail(fault) {
      // Untyped tests may ask for another one, which would have no effect.
      if ((fault as string) !== 'refused')
        throw new Error(`a mail server can be told "refused" only, not "${fault as string}"`)
      return add('mail', 'mail', { mail: fault }, Infinity)
    },
    clear() {
      planned = []
      changed()
    },
    take(address) {
      const found = inTurn().find(({ turn, route, left }) => turn !== 'mail' && left > 0 && isRoute(route, address))
      if (!found) return undefined
      found.left--
      if (found.left === 0) remove(found.id)
      else if (found.left < Infinity) changed()
      return found.fault as Fault
    },
    list: () => inTurn().map(({ turn: _, left, ...each }) => ({ ...each, left: left < Infinity ? left : null })),
    remove,
    refusesMail: () => planned.some(({ turn }) => turn === 'mail'),
  }
}

/** Whether a route, as a test wrote it, means this address. */
function isRoute(route: string, address: Address): boolean {
  return route === '*' || address.levels.some(level => level.route === route)
}

/** Refuses a route that the platform does not serve: the fault would never apply, and the test would pass without it. */
function requireRoute(route: string, addresses: readonly Address[]): void {
  if (addresses.some(address => isRoute(route, address))) return
  const all = addresses.map(patternOf).join('\n  ')
  throw new Error(
    `"${route.slice(0, 200)}" is no route of the local platform; it serves\n  ${all}\nand "*" means all of them`,
  )
}

/** An answer as a proxy or gateway in front of the platform gives it. */
export function byProxy(status: number): Reply {
  return bareReply(status, { 'content-type': textType }, `The local platform was told to answer ${status} here.`)
}

export function spoil(reply: Reply, { retryAfter, body }: Fault): Reply {
  const headers = { ...reply.headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }
  switch (body) {
    case 'truncated':
      return { ...reply, headers, body: reply.body?.slice(0, reply.body.length / 2) ?? null }
    case 'garbage':
      return { ...reply, headers, body: '<!doctype html><title>Not what you asked for</title>' }
    case 'wrong-code': {
      const other = reply.headers['x-stack-known-error'] === 'SCHEMA_ERROR' ? 'BODY_PARSING_ERROR' : 'SCHEMA_ERROR'
      return { ...reply, headers: { ...headers, 'x-stack-known-error': other } }
    }
    default:
      return { ...reply, headers }
  }
}

/** Counts requests as they arrive, while at least one budget is open. */
export class Budgets {
  readonly #open = new Set<Map<string, number>>()

  count(address: Address): void {
    for (const counts of this.#open) {
      // The request counts for the most specific entry; '*' counts what no other entry names.
      const routes = [...counts.keys()].filter(route => isRoute(route, address))
      const route = routes.find(each => each !== '*') ?? routes[0] ?? patternOf(address)
      counts.set(route, (counts.get(route) ?? 0) + 1)
    }
  }

  /** Rejects if `run` made more requests than allowed. Routes without an entry are allowed none. */
  async spend<T>(
    allowed: Readonly<Record<string, number>>,
    run: () => Promise<T>,
    addresses: readonly Address[],
  ): Promise<T> {
    for (const route of Object.keys(allowed)) requireRoute(route, addresses)
    const counts = new Map(Object.keys(allowed).map(route => [route, 0]))
    this.#open.add(counts)
    try {
      const result = await run()
      const over = [...counts].filter(([route, count]) => count > (allowed[route] ?? 0))
      if (over.length === 0) return result
      const lines = over.map(([route, count]) => `${route}: ${count} requests, ${allowed[route] ?? 0} allowed`)
      throw new Error(`more requests than the budget allows\n  ${lines.join('\n  ')}`)
    } finally {
      this.#open.delete(counts)
    }
  }
}
