import { bareReply, lengthOf, textOf, textType } from './reply'
import type { Reply } from './reply'
import { patternOf } from './router'
import type { Address } from './router'

/**
 * What goes wrong with a request.
 *
 * @example
 * const fault: Fault = { status: 429, retryAfter: '7', times: 2 }
 * platform.faults.next('GET /users/me', fault)
 */
export interface Fault {
  /** Answered by what stands in front of the platform: plain text, the true status, and no work done. */
  readonly status?: number
  /** The answer is held back this long on the platform's clock; the work is done when the request arrives. */
  readonly delayMillis?: number
  /** Value of the header `retry-after`. */
  readonly retryAfter?: string
  /** The work is done, the answer never arrives: the fetch rejects as when a connection breaks. */
  readonly loseResponse?: boolean
  /** Cut in half, no JSON at all, or with an error header that the body does not match. */
  readonly body?: 'truncated' | 'garbage' | 'wrong-code'
  /** How many requests it meets. */
  readonly times?: number
}

/**
 * Lets requests go wrong.
 *
 * @example
 * const offline = (faults: Faults) => faults.every('*', { loseResponse: true })
 * const online = offline(platform.faults)
 * online()
 */
export interface Faults {
  /** The next request of the route (`times`: the next few). Before those of `every`, in the order in which they were set. */
  next(route: string, fault: Fault): void
  /** Every request of the route, until the returned function is called. */
  every(route: string, fault: Fault): () => void
  clear(): void
}

/**
 * A fault that is planned, as a list shows it.
 *
 * @example
 * const label = ({ route, left }: PlannedFault) => `${route}: ${left ?? 'every'} more`
 */
export interface PlannedFault {
  readonly id: number
  readonly route: string
  readonly fault: Fault
  /** How many more requests it meets; null: all of them. */
  readonly left: number | null
}

interface Planned {
  readonly id: number
  readonly route: string
  readonly fault: Fault
  left: number
}

/** The platform's side of it. */
export interface FaultPlan extends Faults {
  /** The one that a request meets. */
  take(address: Address): Fault | undefined
  /** In the order in which a request looks for its own. */
  list(): PlannedFault[]
  /** False: there is none with this id any more. */
  remove(id: number): boolean
}

/** Plans faults by route: `GET /users/me` as declared, or `*`. `changed` is called when the list is another one. */
export function planFaults(addresses: readonly Address[], changed: () => void = () => {}): FaultPlan {
  let once: readonly Planned[] = []
  let always: readonly Planned[] = []
  let lastId = 0

  function planned(route: string, fault: Fault, times: number): Planned {
    requireRoute(route, addresses)
    return { id: ++lastId, route, fault, left: fault.times ?? times }
  }

  function remove(id: number): boolean {
    if (![...once, ...always].some(fault => fault.id === id)) return false
    once = once.filter(fault => fault.id !== id)
    always = always.filter(fault => fault.id !== id)
    changed()
    return true
  }

  return {
    next(route, fault) {
      once = [...once, planned(route, fault, 1)]
      changed()
    },
    every(route, fault) {
      const added = planned(route, fault, Infinity)
      always = [...always, added]
      changed()
      return () => void remove(added.id)
    },
    clear() {
      once = []
      always = []
      changed()
    },
    take(address) {
      const found = [...once, ...always].find(({ route, left }) => left > 0 && isRoute(route, address))
      if (!found) return undefined
      found.left--
      if (found.left === 0) remove(found.id)
      else if (found.left < Infinity) changed()
      return found.fault
    },
    list: () => [...once, ...always].map(({ left, ...fault }) => ({ ...fault, left: left === Infinity ? null : left })),
    remove,
  }
}

/** Whether a route, as somebody wrote it down, means this address. */
export function isRoute(route: string, address: Address): boolean {
  return route === '*' || address.levels.some(level => level.route === route)
}

/** A route that nothing serves would never match, and its test would pass for nothing. */
export function requireRoute(route: string, addresses: readonly Address[]): void {
  if (addresses.some(address => isRoute(route, address))) return
  const all = addresses.map(patternOf).join('\n  ')
  throw new Error(`"${route}" is no route of the local platform; it serves\n  ${all}\nand "*" means all of them`)
}

/** The answer of what stands in front of the platform. */
export function infrastructureReply(status: number): Reply {
  return bareReply(status, { 'content-type': textType }, `The local platform was told to answer ${status} here.`)
}

/** The reply as the fault leaves it. */
export function spoil(reply: Reply, { retryAfter, body }: Fault): Reply {
  const headers = { ...reply.headers, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) }
  switch (body) {
    case 'truncated':
      return { ...reply, headers, body: textOf(reply.body)?.slice(0, lengthOf(reply.body) / 2) ?? null }
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
