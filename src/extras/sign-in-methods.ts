import { isBrowser, sharedStorage } from '../core/host'
import { inAppBrowser, mayUsePasskeys, offersSaved } from '../core/in-app-browser'
import { project$, type Project } from '../entities/projects/client'
import { slot, coreOf, type Core } from '../store/kit-parts'
import { derive } from '../store/derive/derive'
import type { Kit } from '../store/kit'
import type { Store } from '../store/store'
import { query } from '../store/query'
import { Refcount } from '../core/refcount'
import type { KeyedStorage } from '../core/web-types'
import { sourceOf } from '../store/definition'
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

/** A way to sign in that the project offers. */
export interface SignInMethod {
  readonly method: 'password' | 'magic-link' | 'passkey' | 'oauth'
  /** The id of the provider, of 'oauth' only. */
  readonly provider?: string
  /** Whether it can work in this browser; undefined on a server, which does not know the browser. */
  readonly usable: boolean | undefined
  /**
   * Why it cannot. 'in-app-browser': the page is shown inside another app, whose browser the provider refuses or which has no
   * passkeys; the user has to open the page in a browser. 'no-webauthn': this browser has no passkeys, the page is not on https,
   * or it is in a frame that may not use them.
   */
  readonly why?: 'in-app-browser' | 'no-webauthn'
  /** Whether `signInWithSaved` works here and offers what is saved for this method; false on a server. */
  readonly saved: boolean
  /** True for the method of the last sign-in in this browser; absent for all others, and without `rememberSignInMethod`. */
  readonly lastUsed?: true
}

/**
 * The sign-in methods of the project in the order password, magic link, passkey, providers, each with what this browser can do,
 * and the one used last. It shares the request and the cache of `project$`.
 *
 * @example
 * signInMethods$(app).subscribe(methods => {
 *   for (const { method, provider, why } of methods) console.log(provider ?? method, why ?? 'works here')
 * })
 */
export function signInMethods$(app: Kit): Store<readonly SignInMethod[]> {
  return slot(app, signInMethods$, () =>
    derive(app, read => {
      const here = browserHere()
      // First, so that the browser is asked while the project loads.
      const offers = here && read(offersSaved$(app))
      const methods = methodsOf(read(project$(app)), here)
      // The dialog needs the challenge for a passkey.
      const hasDialog = offers === true && methods.some(({ method, usable }) => method === 'passkey' && usable)
      // A server has served other people before, and a page repeats its markup.
      const last = here && read(lastMethod$(app))
      return methods.map(each => ({
        ...each,
        saved: hasDialog && (each.method === 'passkey' || each.method === 'password'),
        ...(last && nameOf(each) === last && { lastUsed: true }),
      }))
    }),
  )
}

const offersSaved$ = query(() => offersSaved(), { key: 'saved sign-ins', ownedBy: 'app' })

/** The name under which the last method is remembered. */
function nameOf({ method, provider }: Pick<SignInMethod, 'method' | 'provider'>): string {
  return provider === undefined ? method : `${method}:${provider}`
}

function methodsOf({ config }: Project, here: Here | undefined): readonly Omit<SignInMethod, 'saved'>[] {
  const passkey = {
    method: 'passkey' as const,
    ...judged(here, here?.inApp ? inApp : here?.hasPasskeys ? {} : noPasskeys),
  }
  return [
    ...(config.credentialEnabled ? [{ method: 'password' as const, ...judged(here, {}) }] : []),
    ...(config.magicLinkEnabled ? [{ method: 'magic-link' as const, ...judged(here, {}) }] : []),
    ...(config.passkeyEnabled ? [passkey] : []),
    ...providersOf(config).map(provider => ({
      method: 'oauth' as const,
      provider,
      ...judged(here, here?.inApp && refuses(provider, here.inApp) ? inApp : {}),
    })),
  ]
}

type Reason = Pick<SignInMethod, 'why'>

const inApp: Reason = { why: 'in-app-browser' }
const noPasskeys: Reason = { why: 'no-webauthn' }

interface Here {
  readonly inApp: string | undefined
  readonly hasPasskeys: boolean
}

function judged(here: Here | undefined, reason: Reason): Pick<SignInMethod, 'usable' | 'why'> {
  return here ? { usable: !reason.why, ...reason } : { usable: undefined }
}

function providersOf({ enabledOauthProviders }: Project['config']): readonly string[] {
  return enabledOauthProviders.map(({ id }) => id)
}

/** Providers whose sign-in page refuses browsers inside apps; Facebook's own app is an exception for Facebook. */
function refuses(provider: string, app: string): boolean {
  return provider === 'google' || (provider === 'facebook' && app !== 'Facebook' && app !== 'Instagram')
}

/** Undefined outside a page. */
function browserHere(): Here | undefined {
  if (!isBrowser()) return undefined
  // Simulated pages may have no navigator, whatever the types say. A page on the home screen of iOS is no app's.
  const { navigator } = globalThis as { readonly navigator?: Navigator & { readonly standalone?: boolean } }
  const userAgent = navigator?.userAgent ?? ''
  return {
    inApp: navigator?.standalone === true ? undefined : inAppBrowser(userAgent),
    hasPasskeys:
      'PublicKeyCredential' in globalThis && navigator !== undefined && 'credentials' in navigator && mayUsePasskeys(),
  }
}
