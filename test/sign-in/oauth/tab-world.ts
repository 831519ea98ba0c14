import type { ClientOptions } from 'rxauth'
import { signInPage, type VirtualWeb } from '../../oauth-web'
import { web } from './web'

export type Input = Parameters<ReturnType<VirtualWeb['open']>['app']['signInWithOAuth']>[0]

/** Where a click on this page leads. */
export async function authorize(
  input: Input,
  { href = signInPage, ...options }: Partial<ClientOptions> & { href?: string } = {},
) {
  const tab = web.open(href, options)
  return tab.left(tab.app.signInWithOAuth(input))
}

/** The flow in the jar, as the kit has written it. */
export function kept(): { name: string; value: unknown[] }[] {
  return web.jar.all
    .filter(({ name }) => name.startsWith('stack-oauth-outer-'))
    .map(({ name, value }) => ({ name, value: JSON.parse(decodeURIComponent(value)) as unknown[] }))
}
