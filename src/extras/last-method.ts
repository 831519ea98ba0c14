import { Refcount } from '../core/refcount'
import type { KeyedStorage } from '../core/web-types'
import { coreOf, slot, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { sourceOf } from '../store/definition'
import { sharedStorage } from '../core/host'
import { query } from '../store/query'
import { signInsOf } from '../sign-in/sign-ins'

/** The method of the last sign-in in this browser, such as "password" or "oauth:github"; null if none is remembered. */
export const lastMethod$ = query(
  // A promise, as all loads are.
  async kit => Promise.resolve(read(coreOf(kit))),
  { key: 'last sign-in method', ownedBy: 'app' },
)

/**
 * Remembers the method of each sign-in in `localStorage`, for `lastUsed` in `signInMethods$`: the password, the link, the passkey
 * or the provider, with the second factor the method of the first one. Nothing of the person is stored, and a sign-out leaves
 * it. Call it once where the app is created, so that it runs on the pages to which providers and mailed links lead too; ask first
 * where the law asks for consent. Returns a function that ends it; what was remembered stays until `forgetSignInMethod`.
 *
 * @example
 * rememberSignInMethod(app)
 */
export function rememberSignInMethod(app: Kit): () => void {
  const core = coreOf(app)
  core.assertAlive()
  const remembering = () =>
    signInsOf(app).methods.add(method => {
      keep(app, method)
    })
  // Components may call it: it goes on for the others.
  return slot(app, rememberSignInMethod, () => new Refcount(remembering)).retainOnce()
}

/**
 * Removes what `rememberSignInMethod` has kept in this browser.
 *
 * @example
 * forgetSignInMethod(app)
 */
export function forgetSignInMethod(app: Kit): void {
  coreOf(app).assertAlive()
  keep(app, null)
}

function keep(kit: Kit, method: string | null): void {
  const core = coreOf(kit)
  try {
    const storage = sharedStorage(core.host)
    if (method === null) storage?.removeItem(keyOf(core))
    else storage?.setItem(keyOf(core), method)
  } catch {
    // Full or blocked: the sign-in has worked all the same.
  }
  const { cells, commits } = core
  commits.run('sign-in method', () => {
    for (const cell of cells.matching({ source: sourceOf(lastMethod$), args: {} }))
      cell.write(() => method, cells.tick())
  })
}

function read(core: Core): string | null {
  try {
    const storage: KeyedStorage | undefined = sharedStorage(core.host)
    return storage?.getItem(keyOf(core)) ?? null
  } catch {
    return null
  }
}

function keyOf({ transport }: Core): string {
  return `rxauth-method-${transport.config.projectId}`
}
