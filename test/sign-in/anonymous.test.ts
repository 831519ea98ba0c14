import * as kit from 'rxauth'
import { memoryTokens, query, type ClientApp, type Kit, type Query, type Store } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import { signInWays, type Way } from '../flows/way'

const ada = { email: 'ada@example.com', password: 'correct horse' }

const signUp = 'POST /auth/anonymous/sign-up'

const verificationCallbackUrl = 'http://localhost:3000/handler/email-verification'

/** The lists that have a row for a user with a team. */
const rich = new Set(['notificationPreferences$', 'sessions$', 'teamMembers$', 'teamPermissions$', 'teams$'])

/** Every list of the session that the package exports, with its name. */
function listsOf(app: Kit, teamId: string): (readonly [name: string, list$: Store<unknown[]>])[] {
  return Object.entries(kit as Record<string, unknown>).flatMap(([name, declared]) => {
    const list = declared as Query<'client', { readonly teamId?: string }, unknown[]> | undefined
    if (!Array.isArray(list?.['~source']?.signedOut)) return []
    const { entries = {} } = (list.endpoint?.input ?? {}) as { readonly entries?: object }
    const isOfTeam = 'teamId' in entries
    return [[name, list(app, isOfTeam ? { teamId } : {})] as const]
  })
}

describe.each(signInWays)('an anonymous user, %s,', (_, open, wire) => {
  let way: Way
  let app: ClientApp
  const signUps = () => way.answersTo(signUp)

  beforeEach(async () => {
    way = await open({ seed: { users: [ada], project: { config: { clientTeamCreationEnabled: true } } } })
    app = way.newApp()
  })
  afterEach(() => way.close())

  /** A server makes the user an ordinary one. */
  async function becomeMary(userId: string): Promise<void> {
    const { baseUrl, projectId, secretServerKey } = way.platform.serverOptions
    const answer = await way.platform.fetch(
      new Request(`${baseUrl}/api/v1/users/${userId}`, {
        method: 'PATCH',
        headers: {
          'x-stack-access-type': 'server',
          'x-stack-project-id': projectId,
          'x-stack-secret-server-key': secretServerKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ is_anonymous: false, display_name: 'Mary', primary_email: 'mary@example.com' }),
      }),
    )
    expect(answer.status).toBe(200)
  }

  it('is a user in auth$ and anyUser$, and signed out in user$', async () => {
    const statuses: string[] = []
    app.auth$.subscribe(({ status }) => statuses.push(status))
    const signedIn = await app.signUpAnonymously()
    expect(signedIn).toEqual({ userId: expect.any(String), isNewUser: true, next: '/' })
    expect(statuses).toEqual(['signed-out', 'unknown', 'anonymous'])
    expect(await app.anyUser$.get()).toMatchObject({ id: signedIn.userId, isAnonymous: true, primaryEmail: null })
    expect(await app.user$.get()).toBeNull()
    expect(app.flow$.value).toEqual({ status: 'done', signedIn })
  })

  it('is one user, however often signUpAnonymously is called', async () => {
    const [first, second] = await Promise.all([app.signUpAnonymously(), app.signUpAnonymously()])
    expect(second).toEqual(first)
    expect(await app.signUpAnonymously()).toMatchObject({ userId: first.userId, isNewUser: false })
    expect(signUps()).toEqual([`${signUp} 200`])
  })

  it('is not created while a user is signed in: that session stays', async () => {
    const known = way.newApp({ tokens: await way.platform.tokensFor(ada.email) })
    const user = await known.user$.get()
    expect(await known.signUpAnonymously()).toMatchObject({ userId: user?.id, isNewUser: false })
    expect(signUps()).toEqual([])
  })

  it('becomes another user by signing up, and keeps the id on newer releases', async () => {
    const { userId } = await app.signUpAnonymously()
    const result = await app.signUpWithPassword({
      email: 'new@example.com',
      password: 'correct horse',
      verificationCallbackUrl,
    })
    expect(result).toMatchObject({ ok: true, value: { isNewUser: true } })
    expect((await app.user$.get())?.id === userId).toBe(wire !== '2.8.18')
  })

  it('keeps the anonymous session when signing up fails', async () => {
    const { userId } = await app.signUpAnonymously()
    const result = await app.signUpWithPassword({ ...ada, verificationCallbackUrl })
    expect(result).toMatchObject({ ok: false, error: { code: 'USER_EMAIL_ALREADY_EXISTS' } })
    expect((await app.anyUser$.get())?.id).toBe(userId)
  })

  it('becomes an ordinary user with the same id and session when a server changes it', async () => {
    const { userId } = await app.signUpAnonymously()
    const ids: unknown[] = []
    const names: unknown[] = []
    const statuses: string[] = []
    app.anyUser$.subscribe(user => ids.push(user?.id))
    app.user$.subscribe(user => names.push(user?.displayName ?? null))
    app.auth$.subscribe(({ status }) => statuses.push(status))
    await app.anyUser$.get()
    await becomeMary(userId)
    expect(await app.user$.refresh()).toMatchObject({ id: userId, primaryEmail: 'mary@example.com' })
    expect(new Set(ids)).toEqual(new Set([userId]))
    expect([names, statuses]).toEqual([
      [null, 'Mary'],
      ['unknown', 'anonymous', 'signed-in'],
    ])
  })

  // Promise: anonymous-identity
  it('is signed out in every list of the session until the user is an ordinary one, and not in the lists of the app', async () => {
    const { userId } = await app.signUpAnonymously()
    const { id: teamId } = await app.createTeam({ displayName: 'Crew' })
    const cart$ = query(async () => ['tea'], { key: 'cart', ownedBy: 'session', signedOut: [] })(app)
    const watched = [...listsOf(app, teamId), ['cart', cart$] as const].map(([name, list$]) => {
      const counts: number[] = []
      list$.snapshot$.subscribe(({ status, ...state }) => {
        if (status === 'ready') counts.push((state as { value: unknown[] }).value.length)
      })
      return [name, counts] as const
    })
    const refused: string[] = []
    for (const [name, list$] of listsOf(app, teamId))
      expect(await list$.get().catch(() => (refused.push(name), []))).toEqual([])
    // Without permission, for another project, or not on 2.8.18.
    expect(refused.length).toBeLessThan(watched.length - 6)
    expect(await cart$.get()).toEqual(['tea'])
    for (const [name, counts] of watched)
      expect([name, ...new Set(counts)]).toEqual(refused.includes(name) ? [name] : [name, name === 'cart' ? 1 : 0])
    await becomeMary(userId)
    await app.user$.refresh()
    for (const [name, list$] of listsOf(app, teamId))
      if (rich.has(name)) expect([name, await list$.get()]).toEqual([name, expect.arrayContaining([expect.anything()])])
  })

  // Promise: anonymous-ends
  it('is an ordinary one in user$ and in lists with one commit, whose tokens stay the ones of the store', async () => {
    const { userId } = await app.signUpAnonymously()
    const [states, tokens] = [new Set<string>(), new Set<boolean>()]
    const rows = () => ('value' in app.sessions$.snapshot ? app.sessions$.snapshot.value.length : undefined)
    const note = () => states.add(`${app.auth$.value.status} ${rows() ?? 'pending'}`)
    app.user$.subscribe(note)
    app.sessions$.subscribe(note)
    app.auth$.subscribe(note)
    app.tokens$.subscribe(kept => tokens.add(!!kept?.accessToken))
    await Promise.all([app.user$.get(), app.sessions$.get()])
    await becomeMary(userId)
    await app.user$.refresh()
    expect([...states].filter(state => !state.endsWith('pending'))).toEqual(['anonymous 0', 'signed-in 1'])
    expect([...tokens]).toEqual([true])
  })

  // Promise: anonymous-ends
  it('is an ordinary one with the answer of a write', async () => {
    const { userId } = await app.signUpAnonymously()
    await Promise.all([app.user$.get(), app.sessions$.get()])
    await becomeMary(userId)
    await app.updateUser({ clientMetadata: { theme: 'dark' } })
    const user = await app.user$.get()
    expect([user?.displayName, user?.restriction]).toEqual(['Mary', undefined])
    expect(await app.sessions$.get()).toHaveLength(1)
  })

  // Promise: anonymous-ends
  it('is an ordinary one of a session without a refresh token, whose access token may say otherwise', async () => {
    const { userId } = await app.signUpAnonymously()
    const { accessToken } = app.tokens$.value!
    const bare = way.newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    expect(await bare.user$.get()).toBeNull()
    expect(await bare.sessions$.get()).toEqual([])
    await becomeMary(userId)
    const user = await bare.user$.refresh()
    expect([user?.displayName, user?.restriction]).toEqual(['Mary', undefined])
    expect(await bare.sessions$.get()).toHaveLength(1)
    expect(await bare.accessToken()).toBe(accessToken)
  })

  // Promise: anonymous-ends
  it('stays an ordinary one when a token from before comes late, which is renewed with the next load', async () => {
    const { userId } = await app.signUpAnonymously()
    const { accessToken, refreshToken } = app.tokens$.value!
    await way.pass(2000)
    const older = await way.newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) }).accessToken()
    const store = memoryTokens({ accessToken, refreshToken })
    const late = way.newApp({ tokens: store })
    late.sessions$.subscribe()
    await late.user$.get()
    await becomeMary(userId)
    await late.user$.refresh()
    await store.replace(await store.read(), { accessToken: older, refreshToken })
    expect(await late.sessions$.refresh()).toHaveLength(1)
    expect((await late.user$.refresh())?.restriction).toBeUndefined()
    expect(await late.sessions$.get()).toHaveLength(1)
    expect(readAccessToken((await late.accessToken())!)?.isAnonymous).not.toBe(true)
  })

  it('is signed out in lists that are loaded alone, on 2.8.18 as soon as anyUser$ has been loaded', async () => {
    await app.signUpAnonymously()
    const reloaded = way.newApp({ tokens: memoryTokens(app.tokens$.value!) })
    expect(await reloaded.sessions$.get()).toHaveLength(wire === '2.8.18' ? 1 : 0)
    await reloaded.anyUser$.get()
    expect(await reloaded.sessions$.get()).toEqual([])
  })

  it('can be signed out', async () => {
    await app.signUpAnonymously()
    await app.signOut()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'signed-out' })
  })

  it('gets an error where the project has no anonymous users, which newer releases always have', async () => {
    const strict = await open({ compatibility: 'strict' })
    const one = strict.newApp()
    if (wire !== '2.8.18') {
      expect(await one.signUpAnonymously()).toMatchObject({ isNewUser: true })
      one.dispose()
      return strict.close()
    }
    await expect(one.signUpAnonymously()).rejects.toMatchObject({ code: 'ANONYMOUS_ACCOUNTS_NOT_ENABLED' })
    expect(one.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
    one.dispose()
    return strict.close()
  })

  it.each([{ status: 503 }, { loseResponse: true }])(
    'can be created by a second call after a failure: %j',
    async fault => {
      way.platform.faults.next(signUp, fault)
      await expect(app.signUpAnonymously()).rejects.toMatchObject({
        code: 'status' in fault ? 'REQUEST_FAILED' : 'NETWORK_ERROR',
      })
      expect(await app.signUpAnonymously()).toMatchObject({ isNewUser: true })
    },
  )

  it('is signed in even if the call is aborted', async () => {
    const controller = new AbortController()
    const waiting = app.signUpAnonymously({ signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    await app.signUpAnonymously()
    expect(signUps()).toHaveLength(1)
  })
})
