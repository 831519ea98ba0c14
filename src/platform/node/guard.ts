import { isRecord } from '../../core/is-record'
import { internalProjectId } from '../authenticate'
import { readBody } from '../body'
import { withTwins } from '../header-twins'
import { isLocalPath } from '../local/surface'
import { isConsolePath } from './console-files'

export interface GuardOptions {
  /** Names that the platform is reached by besides loopback ones: `auth.test`, without a port. */
  readonly allowedHosts?: readonly string[]
  /** Origins, besides loopback ones, whose pages may read the mailbox, use secret keys and own projects. */
  readonly allowedOrigins?: readonly string[]
}

/** Why a request is refused before the platform sees it; null if it is not. */
export interface Guard {
  /** By its address and headers: before its body is read. */
  atHead(request: Request): string | null
  /** By its body, of a request that its head has not refused. */
  atBody(request: Request): Promise<string | null>
}

const projectHeaders = withTwins(['x-stack-project-id'])
const ownerHeaders = withTwins(['x-stack-admin-access-token'])
const secretHeaders = withTwins([
  'x-stack-secret-server-key',
  'x-stack-super-secret-admin-key',
  'x-stack-development-override-key',
])

const secrets = 'use the secret keys'
const owning = 'act as an owner of the projects'

/**
 * Keeps what a foreign web page could do to a platform whose keys and passwords are no secrets.
 *
 * A name that leads to this machine only since its owner says so (DNS rebinding) would make a foreign page one of the same
 * origin, so that the host has to be known. A client of any origin is served, as by the hosted platform. What is more than
 * that (the mailbox, secret keys of any value, owners of projects) is for pages of this machine: the ready-made owner's
 * password is in this package, so whatever an owner has made since is no more secret than it. Programs that are no browsers
 * are not asked.
 */
export function guardOf(listeningHost: string, { allowedHosts = [], allowedOrigins = [] }: GuardOptions): Guard {
  const hosts = new Set([parsed(listeningHost), ...allowedHosts.map(hostnameOf)])
  const origins = new Set(allowedOrigins.map(originOf))
  // Whoever listens everywhere is reached by addresses that are not known before; and no address is a name that lies.
  const isEverywhere = listeningHost === '0.0.0.0' || listeningHost === '::'

  const isOwn = (hostname: string) =>
    isLoopback(hostname) || hosts.has(hostname) || (isEverywhere && isAddress(hostname))

  const isForeign = ({ url, headers }: Request) => {
    const platform = new URL(url)
    const origin = headers.get('origin')
    if (origin !== null)
      return origin !== platform.origin && !origins.has(origin.toLowerCase()) && !isLoopbackOrigin(origin)
    const site = headers.get('sec-fetch-site')
    // Pages of other ports of this machine are of the same site.
    if (site === null || site === 'none' || site === 'same-origin') return false
    if (site === 'same-site' && isLoopback(platform.hostname)) return false
    return !isFollowed(headers)
  }

  const isOfOtherOrigin = ({ url, headers }: Request) => {
    const origin = headers.get('origin')
    if (origin !== null) return origin !== new URL(url).origin
    const site = headers.get('sec-fetch-site')
    return site !== null && site !== 'none' && site !== 'same-origin'
  }

  const refused = (request: Request, what: string) => {
    const page = request.headers.get('origin') ?? 'another site'
    return `A page of ${page} may not ${what} of a local platform: only one of this machine, or of an origin that --allow-origin (allowedOrigins) names.`
  }

  return {
    atHead(request) {
      const { hostname, pathname } = new URL(request.url)
      if (!isOwn(hostname))
        return `This local platform is not reached as "${hostname}": only as localhost, a loopback address, or a host that --allow-host (allowedHosts) names.`
      // What the console holds opens everything: not even other pages of this machine get at it.
      const isPage = isConsolePath(pathname)
      if (isPage || isLocalPath(pathname)) {
        if (!isLoopback(hostname))
          return `The console of a local platform is reached as localhost or a loopback address, not as "${hostname}".`
        if (isOfOtherOrigin(request) && !(isPage && isFollowed(request.headers)))
          return 'What the console of a local platform uses is for its own page only.'
      }
      const what = pathname === '/mailbox' ? 'read the mailbox' : beyondClients(request)
      return what !== null && isForeign(request) ? refused(request, what) : null
    },

    async atBody(request) {
      return isForeign(request) && (await namesOwners(request)) ? refused(request, owning) : null
    },
  }
}

/** What the address and the headers ask for that no client may do; null: nothing. */
function beyondClients({ url, headers }: Request): string | null {
  // An empty header counts as none: apps of project owners send their key headers empty.
  const sends = (name: string) => (headers.get(name) ?? '') !== ''
  if (secretHeaders.some(sends)) return secrets
  const isOfOwners =
    ownerHeaders.some(sends) ||
    projectHeaders.some(name => headers.get(name) === internalProjectId) ||
    new URL(url).searchParams.getAll('client_id').some(isOwnersClient)
  return isOfOwners ? owning : null
}

/** OAuth names the project in its body, and has no headers for it. */
async function namesOwners(request: Request): Promise<boolean> {
  // What cannot be read is nothing to the platform either.
  const body = await readBody(request.clone()).catch(() => undefined)
  return isRecord(body) && isOwnersClient(body['client_id'])
}

/** A client id is a project, with or without its branch. */
function isOwnersClient(clientId: unknown): boolean {
  return typeof clientId === 'string' && clientId.split('#', 1)[0] === internalProjectId
}

/** A link that a person follows: the page that it is on sees nothing of where it leads. */
function isFollowed(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

function hostnameOf(name: string): string {
  const hostname = parsed(name)
  if (hostname !== undefined) return hostname
  throw new Error(`"${name}" is no host: give a name such as auth.test, without scheme, port and path`)
}

/** As the URL parser writes it, so that it can be compared; undefined if it is more than a name or address. */
function parsed(name: string): string | undefined {
  const address = `http://${name.includes(':') ? `[${name}]` : name}/`
  if (!URL.canParse(address)) return undefined
  const { href, hostname } = new URL(address)
  return href === `http://${hostname}/` ? hostname : undefined
}

function originOf(text: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i.exec(text)
  if (match) return text.toLowerCase()
  throw new Error(`"${text}" is no origin: give one such as https://app.test, without path`)
}

function isLoopbackOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  return /^https?:$/.test(protocol) && isLoopback(hostname)
}

function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
}

/** As the URL parser writes them: what looks like one and is none does not parse. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}
