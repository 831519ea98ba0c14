import { isDomain, isOnDomain } from '../../core/domains'
import { parseUrl } from '../../core/urls'
import { known, plain } from '../model/refusal'
import type { Engine } from '../model/engine'
import type { WireRules } from '../model/release'

const localhost = /^(.*\.)?localhost$|^127(\.\d{1,3}){3}$/s

type Trusting = Pick<Engine, 'rules' | 'settings'>

/**
 * Whether the project trusts `url` as the target of a link: localhost if the project allows it, else a configured domain.
 *
 * The reference release compares protocol, hostname and the start of the path as text, without the port. The newer one
 * compares the whole origin without a path; `*` stands for one label of a hostname or for any port, `**` for several
 * labels.
 */
export function isTrustedUrl({ rules, settings }: Trusting, url: string): boolean {
  const target = parseUrl(url)
  if (!target) return false
  // Other schemes may have the host localhost too, and some of them run code.
  if (settings.allowLocalhost && /^https?:$/.test(target.protocol) && localhost.test(target.hostname)) return true
  return settings.domains.some(({ domain }) => {
    if (rules.trustsOrigins) return isOnDomain(target, domain)
    const { protocol, hostname, pathname } = parseUrl(domain) ?? {}
    return protocol === target.protocol && hostname === target.hostname && target.pathname.startsWith(pathname ?? '')
  })
}

export function requireTrustedUrl(engine: Trusting, url: string): void {
  if (isTrustedUrl(engine, url)) return
  throw known(
    'REDIRECT_URL_NOT_WHITELISTED',
    "The callback URL is not on a trusted domain of this project; add its domain to the project's configuration.",
  )
}

/** Whether the release can have the domain: 2.8.86 takes any URL, a later one an origin, whose port may be a wildcard. */
export function isDomainOf({ hasWildcardPorts }: WireRules, text: string): boolean {
  return /^https?:\/\//.test(text) && (hasWildcardPorts ? isDomain(text) : URL.canParse(text))
}

/**
 * Fails for a project with a trusted domain that is no URL, which only the configuration can have: the hosted platform answers
 * neither its owners nor the token requests of its apps until the configuration is repaired.
 */
export function requireReadableDomains({ rules, settings }: Trusting): void {
  const broken = rules.trustsOrigins && settings.domains.find(({ domain }) => !isDomainOf(rules, domain))
  if (broken)
    throw plain(
      500,
      `The trusted domain "${broken.domain}" is no URL for this release, and the hosted platform fails here. Repair the configuration.`,
    )
}
