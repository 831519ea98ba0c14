import type { PermissionId } from '../core/register'
import type { Signal } from '../core/web-types'
import { identityOf, known, whenKnown, type Auth } from '../entities/users/auth'
import type { CurrentUser } from '../entities/users/client'
import { can$ } from '../entities/permissions/client'
import { teams$ } from '../entities/teams/client'
import { given, isAuthError, isRefusedWith, misuse, developerError } from '../errors/auth-error'
import { at, isAt, isTrustedTarget, presentPage, rememberedReturn, withReturn } from '../navigation/targets'
import { urlOf } from '../navigation/urls'
import { coreOf, type Kit } from '../store/kit-parts'
import type { ReadOptions, Store } from '../store/store'
import { assertTrusted } from '../sign-in/redirect'

/**
 * The needs of a page. A member that is present and undefined, or that is not one of these, is refused with INVALID_INPUT, so that
 * a misspelt parameter of a route opens no page.
 */
export interface Need {
  /** An anonymous user counts as signed out. */
  readonly signedIn: true
  /** The user's primary e-mail address is verified. */
  readonly verified?: boolean
  /** A permission: in the team of `teamId`, else in the whole project. */
  readonly can?: PermissionId
  /** Without `can`: the user is a member of this team. */
  readonly teamId?: string
}

/**
 * The action of a guard: show the page, redirect to `to`, or say that the page is not for this user. `to` carries the return
 * address; it is a path if the page is of the same origin.
 */
export type Decision =
  | { readonly decision: 'allow'; readonly user: CurrentUser }
  | { readonly decision: 'sign-in' | 'verify'; readonly to: string }
  | { readonly decision: 'forbidden' }

/**
 * Decides whether a page may be shown, for the guard of any router, in a browser and on a server. Resolves once the user and
 * what `need` asks for are known; the identity is checked again then.
 *
 * - `sign-in`: signed out or anonymous; `to` is the sign-in page, which returns to the path of `url`.
 * - `verify`: `need.verified`, and the address is not verified; `to` is the page for it.
 * - `forbidden`: the permission or the membership is missing, or the user is restricted. A restriction that a verified
 *   address would end (`email_not_verified`) forbids only what depends on a permission or a team.
 *
 * `url` is absolute or a path; only its path is used. Throws REDIRECT_LOOP if it is the page to redirect to, which must not
 * be guarded; rejects as `whenKnown` does if the user, the permissions or the teams cannot be loaded. A request may be
 * passed as it is: its `signal` rejects with ABORTED when the visitor leaves.
 *
 * @example
 * const decision = await decide(app, { signedIn: true }, { url: '/invoices' })
 * if ('to' in decision) location.replace(new URL(decision.to, location.href))
 */
export async function decide(
  kit: Kit,
  need: Need,
  { url, signal }: { readonly url: string; readonly signal?: Signal },
): Promise<Decision> {
  assertNeed(need)
  // In JavaScript anything may be given.
  if (typeof (url as unknown) !== 'string') throw misuse('url', 'is no text: the address of the page')
  const options: ReadOptions = signal ? { signal } : {}
  // On an edge runtime, an app has another kit later.
  const { committedSession, kit: own } = coreOf(kit)
  for (let auth = await whenKnown(own, options); ;) {
    const { owner } = committedSession.identity
    const decision = await decideFor(own, need, url, auth, options)
    const now = await whenKnown(own, options)
    if (committedSession.identity.owner === owner && identityOf(now) === identityOf(auth)) return decision
    auth = now
  }
}

const members = ['signedIn', 'verified', 'can', 'teamId']

function assertNeed(need: Need): void {
  // In JavaScript anything may be given.
  const all: object = { signedIn: undefined, ...(given(need) as object) }
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) throw misuse(`need.${name}`, 'is undefined; leave out what is not needed')
    if (!members.includes(name)) throw misuse(`need.${name}`, `is none of ${members.join(', ')}`)
  }
}

async function decideFor(kit: Kit, need: Need, url: string, auth: Auth, options: ReadOptions): Promise<Decision> {
  if (auth.status !== 'signed-in') return { decision: 'sign-in', to: addressOf(kit, 'signIn', url) }
  const { user, restriction } = auth
  const isUnverified = restriction?.type === 'email_not_verified'
  if (restriction && !isUnverified) return forbidden
  if (need.verified && (isUnverified || !user.primaryEmailVerified))
    return { decision: 'verify', to: addressOf(kit, 'emailVerification', url) }
  const { can, teamId } = need
  if (can === undefined && teamId === undefined) return { decision: 'allow', user }
  try {
    // The platform refuses these reads to a restricted user.
    const holds = !restriction && (await meets(kit, can, teamId, options))
    return holds ? { decision: 'allow', user } : forbidden
  } catch (error) {
    // `decide` drops this answer if the session has changed.
    if (isAuthError(error, 'SESSION_CHANGED') || isRefusedWith(error, refusals)) return forbidden
    throw error
  }
}

const forbidden: Decision = { decision: 'forbidden' }

/** The platform's answers for an unknown team, for a team of others, and for a malformed id. A URL may contain any of these. */
const refusals = [400, 403, 404, 'SCHEMA_ERROR', 'TEAM_NOT_FOUND', 'TEAM_MEMBERSHIP_NOT_FOUND'] as const

async function meets(
  kit: Kit,
  permissionId: PermissionId | undefined,
  teamId: string | undefined,
  options: ReadOptions,
): Promise<boolean> {
  if (permissionId === undefined) return some(teams$(kit), teams => teams.some(({ id }) => id === teamId), options)
  return some(can$(kit, { permissionId, ...(teamId !== undefined && { teamId }) }), Boolean, options)
}

/** A refusal is never based on a value older than 5 s: the permission may have been granted elsewhere. */
async function some<T>(store: Store<T>, test: (value: T) => boolean, options: ReadOptions): Promise<boolean> {
  return test(await known(store, options)) || test(await store.get(options))
}

/** The app's page with the address to return to. */
function addressOf(kit: Kit, page: 'signIn' | 'emailVerification', url: string): string {
  const { navigation } = coreOf(kit)
  const here = at(navigation, url)
  const target = urlOf(here, page)
  assertTrusted(kit, 'target', target)
  if (isAt(here, page))
    throw developerError(
      'REDIRECT_LOOP',
      `"${target}" is the page that its own guard redirects to; leave it out of the guard`,
      { details: { url: target, count: 0 } },
    )
  // Trust is decided by the kit's own page. The origin of `url` is not used, because the client of a request chooses its host.
  const isTrusted = (back: string | null) => back !== null && isTrustedTarget(navigation, back)
  return withReturn(here, target, [rememberedReturn(here), presentPage(here, target)].find(isTrusted) ?? null)
}
