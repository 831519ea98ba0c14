import type { ClientOptions, OAuthCallback } from 'rxauth'
import { signInPage, type Tab } from '../../oauth-web'
import { web } from './web'

export function comeBack(tab: Tab, back: string): Promise<OAuthCallback> {
  return tab.load(back).handleOAuthCallback()
}

export const flowCookies = () => web.jar.all.filter(({ name }) => name.startsWith('stack-oauth-outer-'))

/** A tab that is about to come back, and the address that it comes back to. */
export async function away(
  given: Partial<ClientOptions> & { readonly returnTo?: string; readonly from?: string } = {},
) {
  const { returnTo, from = signInPage, ...options } = given
  const tab = web.open(from, options)
  const url = await tab.left(
    tab.app.signInWithOAuth({ provider: 'github', ...(returnTo !== undefined && { returnTo }) }),
  )
  return { tab, back: await web.walk(url) }
}
