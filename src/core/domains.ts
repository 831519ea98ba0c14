import { parseUrl } from './urls'

/** Stands for a star while a URL parser reads a domain: not every parser accepts a star, and none as a port. */
const star = 'x0star0x'

const stars = new RegExp(`(${star}){1,2}|[^a-z0-9]`, 'gi')

/** The longest valid hostname. Longer ones are refused at once, since wildcards are tried at every place. */
const longestHostname = 253

/**
 * A trusted domain, such as `https://**.example.com:*`, as a URL without its wildcard port; null if it is none. Stars are in
 * it as texts of their own.
 */
export function parseDomain(domain: string): { readonly url: URL | null; readonly hasAnyPort: boolean } {
  const text = domain.replace(/^([^/?#\\]*\/\/[^/?#\\@]*):\*(?=[/?#]|$)/, '$1')
  return { url: parseUrl(text.replaceAll('*', star)), hasAnyPort: text !== domain }
}

/**
 * Whether a trusted domain is an address, with or without wildcards: `https://*.example.com`, `http://localhost:*`. A star can
 * stand for labels of the host or for the whole port, and nowhere else; credentials are refused.
 */
export function isDomain(domain: string): boolean {
  const { url } = parseDomain(domain)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false
  return !(url.pathname + url.search + url.hash).includes(star)
}

/**
 * Whether the URL is on a trusted domain: of its scheme, its host and its port, whatever the path. `*` stands for one label of the
 * host, or a part of it, or for any port; `**` stands for several labels.
 */
export function isOnDomain({ protocol, hostname, port }: URL, domain: string): boolean {
  const { url: trusted, hasAnyPort } = parseDomain(domain)
  // Without a host only the scheme would be compared: `localhost:3000`, `javascript:x`.
  if (!trusted || trusted.hostname === '' || protocol !== trusted.protocol) return false
  if (hostname.length > longestHostname || !(hasAnyPort || port === trusted.port)) return false
  const pattern = trusted.hostname.replace(stars, (part, mark) =>
    mark === undefined ? `\\${part}` : part === mark ? '[^.]+' : '.+',
  )
  return new RegExp(`^${pattern}$`).test(hostname)
}
