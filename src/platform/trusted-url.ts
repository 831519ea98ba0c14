import { known } from './refusal'
import type { ProjectRow } from './tables'

/**
 * Whether the project lets a link lead to `url`: to localhost where that is allowed, else to a configured domain.
 *
 * Compared are protocol, hostname and the start of the path as text; the port is not. Source: protocol §10.5.
 */
export function isTrustedUrl(url: string, { config }: ProjectRow): boolean {
  const target = parse(url)
  if (!target) return false
  // Any other scheme may name localhost, too, and some run code where they are opened.
  if (config.allowLocalhost && /^https?:$/.test(target.protocol) && isLocalhost(target.hostname)) return true
  return config.domains.some(({ domain }) => {
    const trusted = parse(domain)
    return (
      trusted !== null &&
      trusted.protocol === target.protocol &&
      trusted.hostname === target.hostname &&
      target.pathname.startsWith(trusted.pathname)
    )
  })
}

export function requireTrustedUrl(url: string, project: ProjectRow): void {
  if (isTrustedUrl(url, project)) return
  throw known(
    'REDIRECT_URL_NOT_WHITELISTED',
    "The callback URL is not on a trusted domain of this project; add its domain to the project's configuration.",
  )
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
