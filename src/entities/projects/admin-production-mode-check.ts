import { parseUrl } from '../../core/parse-url'
import type { OwnedProject } from './client-owned-projects'

/**
 * A setting that a project in production must not have.
 *
 * @example
 * const list = (problems: readonly ProductionModeError[]) => problems.map(({ message }) => message).join('\n')
 */
export interface ProductionModeError {
  readonly problem: 'localhost-allowed' | 'not-a-url' | 'localhost' | 'bare-ip' | 'not-https'
  /** The trusted domain as configured; absent for the setting `allowLocalhost`. */
  readonly domain?: string
  /** A sentence for administrators of the project. */
  readonly message: string
}

/**
 * The obstacles to production mode, in the order of the project's settings; empty: none. For a configuration that is not
 * saved yet; `productionModeErrors$` checks the saved project.
 *
 * @example
 * const problems = productionModeErrors(await admin.adminProject$.get())
 */
export function productionModeErrors({ config }: Pick<OwnedProject, 'config'>): ProductionModeError[] {
  return [
    ...(config.allowLocalhost
      ? [{ problem: 'localhost-allowed' as const, message: 'Redirects to localhost are allowed.' }]
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
  // As resolved by browsers: `127.1`, `0x7f.1` and `LOCALHOST.` are normalised here.
  const host = url.hostname.replace(/\.$/, '')
  if (/^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host))
    return { problem: 'localhost', message: `"${domain}" is localhost.` }
  if (/^[\d.]+$/.test(host) || host.startsWith('['))
    return { problem: 'bare-ip', message: `"${domain}" is a bare IP address; a domain has a name.` }
  if (url.protocol !== 'https:') return { problem: 'not-https', message: `"${domain}" does not use https.` }
  return null
}
