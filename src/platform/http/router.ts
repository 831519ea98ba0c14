import { decoded, withoutEnding } from '../../core/urls'
import { splitRoute, type Access } from '../../transport/endpoint'
import { accessLevels } from './authenticate'
import type { ServedRoute } from './serve'

// Written by hand: the routes are the kit's declared endpoints, and no router library matches path and access level
// together.

/** All access levels of one method at one address. */
export interface Address {
  readonly method: string
  readonly segments: readonly string[]
  readonly levels: readonly ServedRoute[]
}

export type RouteMatch =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'preflight' | 'health' | 'unknown' | 'wrong method' }
  | { readonly kind: 'trailing slash'; readonly location: string }
  | { readonly kind: 'address'; readonly address: Address; readonly params: Readonly<Record<string, string>> }

/** The beta versions of the interface have the same routes. */
const prefix = /^\/api\/(?:v1|latest|v2beta[1-4])(?=\/|$)/

/** Groups routes by address: the levels of a route together, fixed segments before parameters. */
export function compile(served: readonly ServedRoute[]): readonly Address[] {
  const addresses = new Map<string, { method: string; segments: readonly string[]; levels: ServedRoute[] }>()
  for (const one of served) {
    const [method, path] = splitRoute(one.route)
    const segments = path.split('/').filter(segment => segment !== '')
    const key = [...segments.map(segment => (isParameter(segment) ? '{}' : segment)), method].join('/')
    const address = addresses.get(key) ?? { method, segments, levels: [] }
    if (address.levels.some(({ access }) => access === one.access)) throw new Error(`${one.route} is served twice`)
    address.levels.push(one)
    addresses.set(key, address)
  }
  // "{" sorts after every letter, so that /users/me is tried before /users/{userId}.
  return [...addresses.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, address]) => address)
}

/** The route for the caller's access level: the highest level that the caller's one includes. */
export function levelFor({ levels }: Address, access: Access): ServedRoute | undefined {
  const reach = accessLevels.indexOf(access)
  return levels
    .filter(level => accessLevels.indexOf(level.access) <= reach)
    .sort((left, right) => accessLevels.indexOf(right.access) - accessLevels.indexOf(left.access))[0]
}

/** The levels that may call the address, lowest first. */
export function allowedAccess(address: Address): Access[] {
  return accessLevels.filter(access => levelFor(address, access))
}

/** `METHOD path` as the first level declares it. */
export function patternOf({ levels: [first] }: Address): string {
  return first?.route ?? ''
}

/** A request's path without the prefix of the interface, or unchanged if it has none. */
export function pathOf(pathname: string): string {
  return pathname.replace(prefix, '') || '/'
}

export function locate(addresses: readonly Address[], method: string, { pathname, search }: URL): RouteMatch {
  const isInterface = pathname.startsWith('/api/')
  const wanted = method === 'HEAD' ? 'GET' : method
  if (method === 'OPTIONS' && isInterface) return { kind: 'preflight' }
  if (pathname.length > 1 && pathname.endsWith('/'))
    // Exactly one slash at the start: two would make it a host name.
    return { kind: 'trailing slash', location: `/${withoutEnding(pathname, '/').replace(/^\/+/, '')}${search}` }
  if (pathname === '/health') return { kind: wanted === 'GET' ? 'health' : 'wrong method' }
  if (/^\/(mailbox$|as(\/|$)|oauth-provider\/|files\/)/.test(pathname)) return { kind: 'page', path: pathname }
  if (!prefix.test(pathname)) return { kind: 'unknown' }
  const asked = pathOf(pathname)
    .split('/')
    .filter((segment, index, all) => segment !== '' || (index > 0 && all.length > 2))
    // The parameter's own check refuses a segment whose encoding is invalid.
    .map(decoded)
  // Addresses with fixed segments come before those with parameters.
  const found = addresses.filter(
    ({ segments }) =>
      segments.length === asked.length && segments.every((each, index) => isParameter(each) || each === asked[index]),
  )
  const [closest] = found
  if (!closest) return { kind: 'unknown' }
  const form = formOf(closest)
  const address = found.find(each => each.method === wanted && formOf(each) === form)
  return address ? { kind: 'address', address, params: paramsOf(address, asked) } : { kind: 'wrong method' }
}

/** Routes of one form compete: a fixed path hides those with parameters for every method, but "me" counts as a parameter. */
function formOf({ segments }: Address): string {
  return segments.map(segment => (segment === 'me' || isParameter(segment) ? '{}' : segment)).join('/')
}

function paramsOf({ segments }: Address, asked: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    segments.flatMap((segment, index) => (isParameter(segment) ? [[segment.slice(1, -1), asked[index] ?? '']] : [])),
  )
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{')
}
