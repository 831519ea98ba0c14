import { parseUrl } from '../core/parse-url'
import type { OwnedProject } from '../resources/owned-projects'

/**
 * Something that a project in production must not have.
 *
 * @example
 * const list = (problems: readonly ProductionModeError[]) => problems.map(({ message }) => message).join('\n')
 */
export interface ProductionModeError {
  readonly problem: 'localhost-allowed' | 'not-a-url' | 'localhost' | 'bare-ip' | 'not-https'
  /** The trusted domain as it is configured; absent: it is about the setting `allowLocalhost`. */
  readonly domain?: string
  /** A sentence for the person who runs the project. */
  readonly message: string
}

/**
 * What stands in the way of production mode, in the order of the project's settings; empty: nothing. For a configuration
 * that is not saved yet; `productionModeErrors$` tells of the project as it is.
 *
 * @example
 * const problems = productionModeErrors(await admin.adminProject$.get())
 */
export function productionModeErrors({ config }: Pick<OwnedProject, 'config'>): ProductionModeError[] {
  return [
    ...(config.allowLocalhost
      ? [{ problem: 'localhost-allowed' as const, message: 'Localhost is allowed as a place to redirect to.' }]
      : []),
    ...config.domains.flatMap(({ domain }) => {
      const found = problemOf(domain)
      return found ? [{ ...found, domain }] : []
    }),
  ]
}

function problemOf(domain: string): Omit<ProductionModeError, 'domain'> | null {
  const url = parseUrl(domain)
  if (!url) return { problem: 'not-a-url', message: `"${domain}" is not a valid URL.` }
  // As browsers resolve it: `127.1`, `0x7f.1` and `LOCALHOST.` are all known by now.
  const host = url.hostname.replace(/\.$/, '')
  if (/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host))
    return { problem: 'localhost', message: `"${domain}" is localhost.` }
  if (/^[\d.]+$/.test(host) || host.startsWith('['))
    return { problem: 'bare-ip', message: `"${domain}" is a bare IP address; a domain has a name.` }
  if (url.protocol !== 'https:') return { problem: 'not-https', message: `"${domain}" does not use https.` }
  return null
}
