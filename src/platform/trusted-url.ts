import { known } from './refusal'
import type { ProjectRow } from './tables'
import type { WireRules } from './wire'

interface Ruled {
  readonly rules: WireRules
}

/**
 * Whether the project lets a link lead to `url`: to localhost where that is allowed, else to a configured domain.
 *
 * The reference release compares protocol, hostname and the start of the path as text, not the port; the
 * newer one compares the whole origin, where `*` stands for one label of a hostname or for any port and `**` for several
 * labels, and no path.
 */
export function isTrustedUrl({ rules }: Ruled, url: string, { config }: ProjectRow): boolean {
  const target = parse(url)
  if (!target) return false
  // Any other scheme may name localhost, too, and some run code where they are opened.
  if (config.allowLocalhost && /^https?:$/.test(target.protocol) && isLocalhost(target.hostname)) return true
  return config.domains.some(({ domain }) =>
    rules.trustsOrigins ? isOriginIn(target, domain) : isBelow(target, parse(domain)),
  )
}

export function requireTrustedUrl(engine: Ruled, url: string, project: ProjectRow): void {
  if (isTrustedUrl(engine, url, project)) return
  throw known(
    'REDIRECT_URL_NOT_WHITELISTED',
    "The callback URL is not on a trusted domain of this project; add its domain to the project's configuration.",
  )
}

function isBelow(target: URL, trusted: URL | null): boolean {
  return (
    trusted !== null &&
    trusted.protocol === target.protocol &&
    trusted.hostname === target.hostname &&
    target.pathname.startsWith(trusted.pathname)
  )
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** A trusted domain as the newer release has them: `https://**.example.com:*`. */
const originPattern = /^(https?:)\/\/([^/?#:]+|\[[^\]]*\])(?::(\d+|\*))?(?:[/?#]|$)/i

function isOriginIn(target: URL, domain: string): boolean {
  const [, protocol = '', hostname = '', port] = originPattern.exec(domain) ?? []
  if (protocol.toLowerCase() !== target.protocol) return false
  const defaultPort = defaultPorts[target.protocol]
  if (port !== '*' && (port ?? defaultPort) !== (target.port || defaultPort)) return false
  return labelsMatch(hostname.toLowerCase(), target.hostname)
}

/** What no name exceeds. Wildcards are tried in every place, so that a longer one is not looked at. */
const longestHostname = 253

function labelsMatch(pattern: string, hostname: string): boolean {
  if (hostname.length > longestHostname) return false
  const source = pattern.replace(/\*\*|[^a-z0-9]/g, part =>
    part === '**' ? '.+' : part === '*' ? '[^.]+' : `\\${part}`,
  )
  return new RegExp(`^${source}$`).test(hostname)
}

function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(hostname)
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
