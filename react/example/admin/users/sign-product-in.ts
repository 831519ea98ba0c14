import { cookieTokens, createClientApp } from 'rxauth'
import type { Tokens, TokenStore } from 'rxauth'
import { platformUrl } from '../../app/auth'

/** Writes tokens into the product's token store. Its open pages notice at once. */
export async function signProductIn(tokens: Tokens): Promise<void> {
  const cookies = cookieTokens()
  let store: TokenStore | undefined
  // The cookies' names contain the project's id, which this kit knows.
  const product = createClientApp({
    baseUrl: platformUrl,
    projectId: import.meta.env.VITE_PROJECT_ID,
    publishableClientKey: import.meta.env.VITE_PUBLISHABLE_CLIENT_KEY,
    tokens: context => (store = typeof cookies === 'function' ? cookies(context) : cookies),
  })
  try {
    const isKept = await store?.replace(await store.read(), tokens)
    if (isKept !== true) throw new Error('the browser does not keep the cookies of the product')
  } finally {
    product.dispose()
  }
}
