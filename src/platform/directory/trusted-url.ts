import { known, plain } from '../model/refusal'
import type { ProjectRow } from '../model/projects'
import type { WireRules } from '../model/release'

interface Ruled {
  readonly rules: WireRules
}

/**
 * Whether the project trusts `url` as the target of a link: localhost if the project allows it, else a configured domain.
 *
 *  The reference release compares protocol, hostname and the start of the path as text, without the port. The newer one
 * compares the whole origin without a path; `*` stands for one label of a hostname or for any port, `**` for several
 * labels.
 */
export function isTrustedUrl({ rules }: Ruled, url: string, { config }: ProjectRow): boolean {
  const target = parse(url)
  if (!target) return false
  // Other schemes may have the host localhost too, and some of them run code.
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

/** Whether the domain is valid; a wildcard port is removed first, since a URL cannot have it. */
export function isDomainPattern(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text.replace(/^([^/]*\/\/[^/?#]*):\*(?=[/?#]|$)/, '$1'))
}

/**
 * Fails for a project with a trusted domain that is no URL, which only the configuration can have: the hosted platform answers
 * neither its owners nor the token requests of its apps until the configuration is repaired.
 */
export function requireReadableDomains({ rules }: Ruled, { config }: ProjectRow): void {
  const broken = rules.trustsOrigins && config.domains.find(({ domain }) => !isDomainPattern(domain))
  if (broken)
    throw plain(
      500,
      `The trusted domain "${broken.domain}" is no URL, and the hosted platform fails here. Repair the configuration.`,
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

/** A trusted domain of the newer release, such as `https://**.example.com:*`. */
const originPattern = /^(https?:)\/\/([^/?#:]+|\[[^\]]*\])(?::(\d+|\*))?(?:[/?#]|$)/i

function isOriginIn(target: URL, domain: string): boolean {
  const [, protocol = '', hostname = '', port] = originPattern.exec(domain) ?? []
  if (protocol.toLowerCase() !== target.protocol) return false
  const defaultPort = defaultPorts[target.protocol]
  if (port !== '*' && (port ?? defaultPort) !== (target.port || defaultPort)) return false
  return labelsMatch(hostname.toLowerCase(), target.hostname)
}

/** The longest valid hostname. Longer ones are refused at once, since wildcards are tried at every place. */
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
