import { thenSync, type Maybe } from '../../core/promises'
import type { Tokens } from '../../transport/access-token'
import { guardedCookies, type OwnStore } from '../guarded-store'
import type { TokenContext, TokenCookie } from '../token-store'
import { cookie, cookiesOf, markName, readCookies, tokensInCookies, witnessName } from './cookie-format'

/**
 * Sets whether the session of `store`, and those that follow it until a sign-out, outlast the browser. Resolves to false where that
 * cannot be set; undefined: all sessions of the store are of one kind.
 */
export function setKind(
  store: OwnStore,
  { projectId, host }: Pick<TokenContext, 'projectId' | 'host'>,
  lasts: boolean,
): Maybe<boolean> | undefined {
  const { '~set': set, '~remember': remember } = store
  if (!set || !host.cookies) return remember?.(lasts)
  const cookies = guardedCookies(host.cookies)
  return thenSync(
    () => store.read(),
    () => {
      const header = cookies.get()
      // A copy of the store may show its tokens in another form than they have in the cookies.
      set(cookiesAs(lasts, tokensInCookies(header, projectId), projectId, header))
      return readCookies(cookies.get()).has(witnessName(projectId)) !== lasts
    },
  )
}

/** The cookies that store `next` as a session of this kind. Its marks are written in any case: `header` may be older. */
export function cookiesAs(
  lasts: boolean,
  next: Tokens | null,
  projectId: string,
  header: string,
): readonly TokenCookie[] {
  const witness = witnessName(projectId)
  // The first cookie of a name counts.
  const asChosen = `${witness}=${lasts ? '' : '1'}; ${markName(projectId)}=?; ${header}`
  const others = cookiesOf(next, projectId, asChosen).filter(({ name }) => name !== witness)
  const own = cookie(witness, lasts ? '' : '1')
  // Written first and removed last, or another tab would take the session for ended.
  return lasts ? [...others, own] : [own, ...others]
}

/** Has `revoke` told of sessions that the store has deleted, since they have ended with the browser. */
export function onOver(store: OwnStore, revoke: (tokens: Tokens) => void): void {
  const { '~set': set } = store
  if ('~over' in store) store['~over'] = revoke
  else if (set)
    store['~set'] = (cookies, over) => {
      set(cookies)
      if (over) revoke(over)
    }
}
