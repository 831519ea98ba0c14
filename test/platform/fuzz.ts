import catalogue from '../wire/errors.json'
import newer from '../wire/newer-errors.json'
import { createPlatform, type Platform, type VirtualClock, type Wire } from 'rxauth/platform'
import { toWire } from '../../src/core/wire'
import { rulesOf } from '../../src/platform/model/release'
import { compile, patternOf } from '../../src/platform/http/router'
import { routesOf } from '../../src/platform/routes/index'
import { splitRoute } from '../../src/transport/endpoint'
import type { DeclaredEndpoint } from '../declared-endpoints'
import { emailConfig } from '../mail-server'
import { sampleInput } from '../sample-input'
import { Met } from './fuzz-met'
import { queries, templates } from './fuzz-templates'
import { headerNames, headerTexts, names, pages, texts, types } from './fuzz-words'
import { internal } from './owner-world'
import { ada, ask, keysFor, team } from './wire-world'

/** Codes of calls that the kit does not make. */
const foreign = [{ code: 'EMAIL_CAPACITY_BOOST_ALREADY_ACTIVE', status: 409 }]
const ofToday = [...catalogue, ...newer, ...foreign]
const codesOf = { '2.8.18': catalogue, '2.8.86': ofToday, '2026': ofToday } satisfies Readonly<Record<Wire, object>>
/** A mistake in an answer, with its request. */
export interface Finding {
  readonly request: string
  readonly complaint: string
}

/** The result of a run of random requests. */
export interface Course {
  /** Answers that the documentation does not allow. */
  readonly findings: readonly Finding[]
  /** Each level and route with a 2xx answer: `client POST /teams`. */
  readonly reached: ReadonlySet<string>
}

/** Sends `count` random requests to those routes, the same ones for the same seed. */
export async function fuzz(
  count: number,
  clock: VirtualClock,
  hurry: (answer: Promise<Response>) => Promise<Response>,
  wire: Wire = '2.8.18',
  asked: readonly string[] = compile(routesOf(rulesOf(wire))).map(patternOf),
): Promise<Course> {
  const findings: Finding[] = []
  const reached = new Set<string>()
  const fresh = await makePlatform(clock, wire)
  let platform = fresh.fork()
  const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
  const tokens = { accessToken: accessToken ?? '', refreshToken: refreshToken ?? '' }
  const met = new Met()
  const owner = await ownerOf(fresh)
  const listen = () => platform.mail$.subscribe({ next: ({ links }) => met.seeLink(links[0]!) })
  listen()
  for (let index = 0; index < count; index++) {
    // The other requests should not run on a deleted project, or among thousands of users.
    if (index % 250 === 249) {
      platform.dispose()
      platform = fresh.fork()
      listen()
    }
    const { request, route } = randomRequest(clock, platform, wire, met, asked, tokens, owner)
    const line = `#${index} ${request.method} ${request.url}`.slice(0, 300)
    try {
      const answer = await hurry(platform.fetch(request))
      if (route !== null && statusOf(answer) < 300)
        reached.add(`${request.headers.get('x-stack-access-type')} ${route}`)
      const complaint = await complaintAbout(request, answer, met, wire)
      if (complaint !== null) findings.push({ request: line, complaint })
    } catch (error) {
      findings.push({ request: line, complaint: String(error) })
    }
  }
  fresh.dispose()
  platform.dispose()
  return { findings, reached }
}

async function makePlatform(clock: VirtualClock, wire: Wire): Promise<Platform> {
  const provider = { id: 'github', type: 'standard', clientId: 'x', clientSecret: 'x' } as const
  const config = {
    emailConfig,
    magicLinkEnabled: true,
    passkeyEnabled: true,
    clientUserDeletionEnabled: true,
    clientTeamCreationEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    oauthProviders: [provider],
  }
  const teams = [{ ...team, members: [{ email: ada.email, permissions: ['team_admin'] }] }]
  const { email, password } = ada
  const seed = { project: { config }, users: [ada], teams, owners: [{ email, password }] }
  const platform = createPlatform({ clock, wire, seed })
  await platform.tokensFor(ada.email)
  return platform
}

/** The project's owner: a user of the internal project, with a team of its own on the newer wire. */
interface Owner {
  readonly accessToken: string
  readonly teamId: string | undefined
}

async function ownerOf(platform: Platform): Promise<Owner> {
  const body = { email: ada.email, password: ada.password }
  const signedIn = await ask(platform, 'POST /auth/password/sign-in', { headers: internal, body })
  const accessToken = (signedIn.body as { readonly access_token: string }).access_token
  const { items } = (await ask(platform, 'GET /teams?user_id=me', { headers: internal, accessToken })).body as {
    readonly items: readonly { readonly id: string }[]
  }
  return { accessToken, teamId: items[0]?.id }
}

function randomRequest(
  clock: VirtualClock,
  platform: Platform,
  wire: Wire,
  met: Met,
  asked: readonly string[],
  { accessToken, refreshToken }: Readonly<Record<'accessToken' | 'refreshToken', string>>,
  owner: Owner,
): { readonly request: Request; readonly route: string | null } {
  const random = () => clock.random()
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const chance = (share: number) => random() < share
  const text = () => (chance(0.1) ? accessToken : chance(0.05) ? refreshToken : one(texts))
  const value = (depth: number): unknown => {
    if (depth > 0 && chance(0.25)) return chance(0.5) ? [value(depth - 1), value(depth - 1)] : fields(depth - 1)
    return chance(0.7) ? text() : one([null, true, false, 0, -1, 1.5, 8.64e15, 1e308, Number.MAX_SAFE_INTEGER])
  }
  const fields = (depth: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: Math.floor(random() * 6) }, () => [one(names), value(depth)]))

  // A well-formed request with at most one mistake, and values of earlier answers where the names match.
  const spoilt = (template: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const entries = Object.entries(template).map(([name, usual]): [string, unknown] => [
      chance(0.02) ? one(names) : name,
      chance(0.08) ? value(2) : chance(0.7) ? (met.one(name, random) ?? usual) : usual,
    ])
    const kept = entries.filter(() => !chance(0.04))
    return Object.fromEntries(chance(0.05) ? [...kept, [one(names), value(2)]] : kept)
  }
  const route = one(asked)
  const template =
    route === 'POST /internal/projects' && owner.teamId !== undefined
      ? { ...templates[route], owner_team_id: owner.teamId }
      : (templates[route] ?? sampleTemplate(wire, route))
  const [method, path] = splitRoute(route)
  const segment = (name: string) =>
    (chance(0.7) ? met.one(name, random) : undefined) ?? (chance(0.5) ? one(['me', 'github', ada.id]) : text())
  const filled =
    path === '/'
      ? ''
      : path.replace(
          /\{(\w+)\}/g,
          (_, name: string) => encodeURIComponent(segment(name).replace(/[\ud800-\udfff]/g, '')) || 'x',
        )
  const where = chance(0.05)
    ? one(pages)
    : `/api/v1${chance(0.03) ? `/${encodeURIComponent(one(headerTexts))}` : filled}`
  const query = new URLSearchParams()
  const asksFor = queries[route] ?? (method === 'GET' || method === 'DELETE' ? template : undefined)
  if (asksFor)
    for (const [name, item] of Object.entries(spoilt(asksFor)))
      query.append(name, typeof item === 'string' ? item : JSON.stringify(item))
  while (chance(0.1)) query.append(one(names), text())
  const verb = chance(0.04) ? one(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD']) : method
  const headers = new Headers(
    chance(0.95) ? keysFor(platform, one(['client', 'client', 'server', 'admin'] as const)) : {},
  )
  // Projects are created and listed by owners, who are users of the internal project.
  const isOwner = chance(path === '/internal/projects' ? 0.7 : 0.05)
  if (isOwner) for (const [name, key] of Object.entries(internal)) headers.set(name, key)
  if (chance(0.5)) headers.set('x-stack-access-token', isOwner ? owner.accessToken : accessToken)
  while (chance(0.06)) headers.set(one(headerNames), one(headerTexts))
  const hasBody = verb !== 'GET' && verb !== 'HEAD' && chance(0.95)
  if (hasBody) headers.set('content-type', chance(0.93) ? 'application/json' : one(types))
  const request = new Request(`${platform.options.baseUrl}${where}${query.size > 0 ? `?${query.toString()}` : ''}`, {
    method: verb,
    headers,
    ...(hasBody && { body: bodyText() }),
  })
  return { request, route: verb === method && where === `/api/v1${filled}` ? route : null }

  function bodyText(): Uint8Array<ArrayBuffer> {
    if (chance(0.02)) return new TextEncoder().encode(nested(one([1999, 2001, 5000, 100_000])))
    if (chance(0.05)) return Uint8Array.from({ length: 40 }, () => Math.floor(random() * 256))
    if (headers.get('content-type')?.includes('urlencoded')) {
      const entries = Object.entries(fields(0)).map(([name, item]): [string, string] => [name, String(item)])
      return new TextEncoder().encode(new URLSearchParams(entries).toString())
    }
    const sent = new TextEncoder().encode(
      JSON.stringify(chance(0.85) ? spoilt(template ?? {}) : chance(0.5) ? fields(3) : value(2)),
    )
    // A body that is cut off, with one byte changed.
    if (chance(0.04)) return sent.slice(0, Math.floor(random() * sent.length))
    if (chance(0.04) && sent.length > 0) sent[Math.floor(random() * sent.length)] = Math.floor(random() * 256)
    return sent
  }
}

/** A well-formed query or body of a route by its fields, in wire names. */
function sampleTemplate(wire: Wire, route: string): Readonly<Record<string, unknown>> | undefined {
  const declared: DeclaredEndpoint | undefined = routesOf(rulesOf(wire)).find(one => one.route === route)?.declared
  if (!declared) return undefined
  const isInPath = (name: string) => declared.route.includes(`{${name}}`)
  const fields = Object.entries(sampleInput(declared)).filter(([name]) => !isInPath(name))
  return toWire(declared.input, Object.fromEntries(fields)) as Readonly<Record<string, unknown>>
}

/** JSON this many levels deep. */
export function nested(levels: number): string {
  return `{"client_metadata":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

/** The requests that the hosted platform answers with 500 too, and those that a local platform cannot play. */
const senseless =
  /^(A passkey was registered without|The credential of this registration|The local platform has no |.*The hosted platform fails here, too\.$)/

/** A refusal in OAuth's own form. */
const ofOAuth = /^\{"error":"invalid_request","error_description":"[^"]+"\}$/

function statusOf(response: Response): number {
  return Number(response.headers.get('x-stack-actual-status') ?? response.status)
}

/** Fields that only servers see. */
const forServers = new Set([
  'server_metadata',
  'primary_email_auth_enabled',
  'restricted_by_admin_private_details',
  'country_code',
  'risk_scores',
])

/** A field for servers in a client's answer; metadata are the app's own. */
function leakIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const leak = entries.find(([name]) => forServers.has(name))?.[0]
  return leak ?? entries.map(([name, item]) => (/metadata$/.test(name) ? undefined : leakIn(item))).find(Boolean)
}

async function complaintAbout(
  { method, headers }: Request,
  response: Response,
  met: Met,
  wire: Wire,
): Promise<string | null> {
  const status = statusOf(response)
  const text = await response.text()
  // An answer to HEAD has no text by which it could be told.
  if (status >= 500) return senseless.test(text) || (method === 'HEAD' && status === 501) ? null : `${status}: ${text}`
  if (method === 'HEAD') return text === '' ? null : 'a HEAD has a body'
  const code = response.headers.get('x-stack-known-error')
  const type = response.headers.get('content-type')
  if (response.headers.has('location')) met.seeLink(response.headers.get('location')!)
  if (type?.startsWith('application/json')) met.see(JSON.parse(text))
  if (headers.get('x-stack-access-type') === 'client' && status < 400 && type?.startsWith('application/json')) {
    const leak = leakIn(JSON.parse(text))
    if (leak !== undefined) return `${leak} in a client's answer`
  }
  if (code !== null) {
    const entry = codesOf[wire].find(each => each.code === code)
    if (!entry) return `unknown code ${code}`
    if (entry.status !== status) return `${code} with status ${status}`
    return (JSON.parse(text) as { code?: unknown }).code === code ? null : `the body of ${code} says something else`
  }
  if (status >= 400)
    return [null, 'text/plain; charset=utf-8', 'text/html', 'application/json'].includes(type) || ofOAuth.test(text)
      ? null
      : `${status} as ${type}`
  if (status >= 300) return response.headers.has('location') ? null : `${status} without a location`
  return null
}
