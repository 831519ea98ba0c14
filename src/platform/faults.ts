import { bareReply, textType } from './reply'
import type { Reply } from './reply'
import { patternOf } from './router'
import type { Address } from './router'

/** What goes wrong with a request. */
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

export interface Faults {
  /** The next request of the route (`times`: the next few). Before those of `every`, in the order in which they were set. */
  next(route: string, fault: Fault): void
  /** Every request of the route, until the returned function is called. */
  every(route: string, fault: Fault): () => void
  clear(): void
}

interface Planned {
  readonly route: string
  readonly fault: Fault
  left: number
}

/** Plans faults by route: `GET /users/me` as declared, or `*`. `take` gives the one that a request meets. */
export function planFaults(
  addresses: readonly Address[],
): Faults & { readonly take: (address: Address) => Fault | undefined } {
  const once: Planned[] = []
  const always: Planned[] = []

  function plan(list: Planned[], route: string, fault: Fault, times: number): Planned {
    requireRoute(route, addresses)
    const planned = { route, fault, left: fault.times ?? times }
    list.push(planned)
    return planned
  }

  return {
    next: (route, fault) => void plan(once, route, fault, 1),
    every(route, fault) {
      const planned = plan(always, route, fault, Infinity)
      return () => {
        planned.left = 0
      }
    },
    clear() {
      once.length = 0
      always.length = 0
    },
    take(address) {
      const found = [...once, ...always].find(({ route, left }) => left > 0 && isRoute(route, address))
      if (found) found.left--
      return found?.fault
    },
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
