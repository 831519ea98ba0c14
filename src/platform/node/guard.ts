import { isRecord } from '../../core/values'
import { withoutBlankEnds } from '../../core/urls'
import { internalProjectId } from '../http/authenticate'
import { readBody } from '../http/request-checks'
import { withTwins } from '../http/reply'
import { isLocalPath } from '../console/surface'
import { isSignInAs } from '../pages/pages'
import { changesPath } from '../console/user-changes'
import { isConsolePath } from './console-files'

export interface GuardOptions {
  /** Additional host names of the platform besides loopback ones: `auth.test`, without a port. */
  readonly allowedHosts?: readonly string[]
  /** Additional origins, besides loopback ones, whose pages may read the mailbox, use secret keys and own projects. */
  readonly allowedOrigins?: readonly string[]
}

/** Why a request is refused before it reaches the platform; null if it is not. */
export interface Guard {
  /** Checks address and headers, before the body is read. */
  atHead(request: Request): string | null
  /** Checks the body, after the head was accepted. */
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
 * Protects the platform against foreign web pages, since its keys and passwords are public.
 *
 * Only known hosts are served: with DNS rebinding, a foreign page could otherwise have the platform's own origin. Client
 * requests are served from any origin, as on the hosted platform. The mailbox, changes, secret keys of any value and owners
 * of projects are for pages of this machine only: the ready-made owner's password is in this package, so nothing that an
 * owner creates is secret. Programs other than browsers are not checked.
 */
export function guardOf(listeningHost: string, { allowedHosts = [], allowedOrigins = [] }: GuardOptions): Guard {
  const hosts = new Set([parsed(listeningHost), ...allowedHosts.map(hostnameOf)])
  const origins = new Set(allowedOrigins.map(originOf))
  // A server on all interfaces may be reached by any IP address; DNS rebinding needs a name, so addresses are safe.
  const isEverywhere = listeningHost === '0.0.0.0' || listeningHost === '::'

  const isOwn = (hostname: string) =>
    isLoopback(hostname) || hosts.has(hostname) || (isEverywhere && isAddress(hostname))

  const isForeign = (request: Request) => {
    const { url, headers } = request
    if (!isOfOtherOrigin(request)) return false
    const origin = headers.get('origin')
    if (origin !== null) return !origins.has(origin.toLowerCase()) && !isLoopbackOrigin(origin)
    // Pages on other ports of this machine are same-site.
    if (headers.get('sec-fetch-site') === 'same-site' && isLoopback(new URL(url).hostname)) return false
    return !isFollowed(headers)
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
      // The console has access to everything, so even other pages of this machine are refused.
      const isPage = isConsolePath(pathname)
      const isChanges = pathname === changesPath
      if (isPage || (isLocalPath(pathname) && !isChanges)) {
        if (!isLoopback(hostname))
          return `The console of a local platform is reached as localhost or a loopback address, not as "${hostname}".`
        if (isOfOtherOrigin(request) && !(isPage && isFollowed(request.headers)))
          return 'What the console of a local platform uses is for its own page only.'
      }
      if (isSignInAs(pathname)) {
        if (!isLoopback(hostname))
          return `People are signed in at localhost or a loopback address of a local platform, not at "${hostname}".`
        // Also a link that is followed: a foreign page must not choose who a developer is.
        if (request.headers.get('sec-fetch-site') === 'cross-site' || isForeign(request))
          return 'A page of another site may not sign a person in at a local platform: open the address itself.'
      }
      const what =
        pathname === '/mailbox' ? 'read the mailbox' : isChanges ? 'follow the changes' : beyondClients(request)
      return what !== null && isForeign(request) ? refused(request, what) : null
    },

    async atBody(request) {
      return isForeign(request) && (await namesOwners(request)) ? refused(request, owning) : null
    },
  }
}

/** Which access beyond a client's the address and headers ask for; null: none. */
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

/** In OAuth requests the body names the project, not a header. */
async function namesOwners(request: Request): Promise<boolean> {
  // An unreadable body has no effect on the platform either.
  const body = await readBody(request.clone()).catch(() => undefined)
  return isRecord(body) && isOwnersClient(body['client_id'])
}

/** A client id is the project, with or without its branch. */
function isOwnersClient(clientId: unknown): boolean {
  return typeof clientId === 'string' && clientId.split('#', 1)[0] === internalProjectId
}

function isOfOtherOrigin({ url, headers }: Request): boolean {
  const origin = headers.get('origin')
  if (origin !== null) return origin !== new URL(url).origin
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'none' && site !== 'same-origin'
}

/** A followed link: the linking page cannot read the answer. */
function isFollowed(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

function hostnameOf(name: string): string {
  // In JavaScript a variable of the environment may be missing.
  const hostname = typeof name === 'string' ? parsed(withoutBlankEnds(name)) : undefined
  if (hostname !== undefined) return hostname
  throw new Error(`"${name}" is no host: give a name such as auth.test, without scheme, port and path`)
}

/** The host as the URL parser writes it, for comparisons; undefined if the text is more than a name or address. */
function parsed(name: string): string | undefined {
  const address = `http://${name.includes(':') ? `[${name}]` : name}/`
  if (!URL.canParse(address)) return undefined
  const { href, hostname } = new URL(address)
  return href === `http://${hostname}/` ? hostname : undefined
}

function originOf(text: string): string {
  const origin = typeof text === 'string' ? withoutBlankEnds(text) : ''
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s\u200B]+$/i.test(origin)) return origin.toLowerCase()
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

/** Whether the host, as the URL parser writes it, is an IP address; invalid addresses do not parse. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}

/** Whether a connection comes from this machine: anyone can name it as the host. */
export function isLoopbackAddress(address = ''): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(address)
}
