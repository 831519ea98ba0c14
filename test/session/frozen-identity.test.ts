import { memoryTokens, type Auth, type ClientApp, type Tokens } from 'rxauth'
import { sentTokensOf } from '../../src/backend/bearer'
import type { Identity } from '../../src/session/identity'
import { coreOf } from '../../src/store/kit-parts'
import { ada, world } from '../world'
import { accessTokenText } from './access-token-text'
import { answered, isRefresh, knownError, userAnswer } from './intercept'

/** Freezes every identity that the session of the app has from now on, and returns them. */
function frozen(app: ClientApp): readonly Identity[] {
  const { session } = coreOf(app)
  const all: Identity[] = []
  const keep = (identity: Identity) => {
    if (!all.includes(identity)) all.push(Object.freeze(identity))
    Object.freeze(identity.owner)
  }
  keep(session.identity)
  Object.defineProperty(session, 'identity', { get: () => all.at(-1), set: keep })
  return all
}

/** A platform whose users have these refresh tokens, and with a restriction that tests set. */
async function stage() {
  const { newApp, clock } = await world()
  const state = { restriction: undefined as string | undefined, hasEnded: false }
  let issued = 0
  const grant = (refreshToken: string): Tokens => {
    const { restriction } = state
    const id = refreshToken.replace('refresh', 'user')
    const restricted = restriction !== undefined && { is_restricted: true, restricted_reason: { type: restriction } }
    return {
      accessToken: accessTokenText({ sub: id, refreshTokenId: `session of ${id}`, iat: ++issued, ...restricted }),
      refreshToken,
    }
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    const sent = request.headers.get('x-stack-refresh-token') ?? 'refresh-2'
    const { restriction: type, hasEnded } = state
    if (pathname.endsWith('/auth/password/sign-in')) {
      const { accessToken, refreshToken } = grant('refresh-2')
      return answered(200, { access_token: accessToken, refresh_token: refreshToken, user_id: 'user-2' })
    }
    if (isRefresh(request))
      return hasEnded
        ? knownError(401, 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED')
        : answered(200, { access_token: grant((await request.formData()).get('refresh_token') as string).accessToken })
    if (hasEnded) return knownError(401, 'ACCESS_TOKEN_EXPIRED')
    const restricted = { is_restricted: type !== undefined, restricted_reason: type === undefined ? null : { type } }
    return userAnswer({ id: sent.replace('refresh', 'user'), ...restricted })
  }
  const store = memoryTokens({ accessToken: null, refreshToken: 'refresh-1' })
  const requests: string[] = []
  const kit = () =>
    newApp({
      tokens: store,
      fetch: async (...sent) => {
        const request = new Request(...sent)
        requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`)
        return answer(request)
      },
    })
  return { clock, state, kit, requests }
}

/** The states of `auth$`: whose session it is, under which restriction, or why there is none. */
function told(app: ClientApp): string[] {
  const states: string[] = []
  app.auth$.subscribe(auth => {
    const state = shortly(auth)
    if (state !== states.at(-1)) states.push(state)
  })
  return states
}

function shortly(auth: Auth): string {
  if (auth.status === 'signed-in') return [auth.user.id, auth.restriction?.type].filter(Boolean).join(' ')
  return auth.status === 'signed-out' ? auth.reason : auth.status
}

it('nothing changes an identity: what becomes known makes another one of the same owner', async () => {
  const { clock, state, kit, requests } = await stage()
  const app = kit()
  const identities = frozen(app)
  const states = told(app)
  const owners = () => [...new Set(identities.map(({ owner }) => owner))]
  const { session } = coreOf(app)

  // A bare refresh token, whose user becomes known: who it is, and then what kind of user.
  await clock.advance(0)
  expect(states).toEqual(['unknown', 'user-1'])
  expect(identities.map(({ userId, sessionId, isAnonymous }) => [userId, sessionId, isAnonymous])).toEqual([
    [null, null, undefined],
    [null, null, undefined],
    ['user-1', 'session of user-1', undefined],
    ['user-1', 'session of user-1', false],
  ])
  expect(owners()).toHaveLength(2)
  const [, owner] = owners()
  const ended = sentTokensOf(app).endOf(owner!)

  // A restriction that begins, and ends.
  requests.length = 0
  state.restriction = 'email_not_verified'
  await clock.advance(300)
  await clock.settled(app.user$.refresh())
  state.restriction = undefined
  await clock.advance(300)
  await clock.settled(app.user$.refresh())
  expect(states).toEqual(['unknown', 'user-1', 'user-1 email_not_verified', 'user-1'])
  expect(new Set(requests)).toEqual(new Set(['GET /users/me', 'POST /auth/oauth/token']))
  expect(session.identity.owner).toBe(owner)
  expect(owners()).toHaveLength(2)
  expect(ended.aborted).toBe(false)

  // The platform ends the session; two kits of one store are told why.
  const other = kit()
  const others = frozen(other)
  await clock.settled(other.user$.get())
  state.hasEnded = true
  const writes = [app, other].map(each => each.updateUser({ displayName: 'Ada King' }))
  const codes = writes.map(write => write.catch((error: unknown) => error))
  expect(await clock.settled(Promise.all(codes))).toMatchObject(
    Array(2).fill({ code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' }),
  )
  expect(session.identity).toMatchObject({ kind: 'signed-out', follows: owner })
  for (const all of [identities, others])
    expect(all.at(-1)).toMatchObject({ refusal: { code: 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED' } })
  expect(ended.aborted).toBe(true)

  // Another user signs in, and out.
  state.hasEnded = false
  await clock.settled(app.signInWithPassword({ email: 'grace@example.com', password: ada.password }))
  await clock.advance(300)
  expect(states.at(-1)).toBe('user-2')
  await clock.settled(app.signOut())
  expect(states.at(-1)).toBe('signed-out')
  expect(owners()).toHaveLength(5)
  expect(identities.at(-1)).toMatchObject({ kind: 'signed-out', follows: undefined })
})
