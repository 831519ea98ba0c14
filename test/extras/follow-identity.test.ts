import { followIdentity, memoryTokens } from 'rxauth'
import type { ClientApp, ClientOptions, FollowHooks, PersonChange, TokenStore } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { BehaviorSubject } from 'rxjs'
import { brokenStorage, keyStorage } from '../key-storage'
import { slowTokens } from '../session/slow-tokens'
import { tabStorage, type TabStorage } from '../tab-storage'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world, type World } from '../world'

const ids = async ({ newApp, tokensOf, settled }: World) =>
  Promise.all(
    [ada, grace].map(async person => (await settled(newApp({ tokens: await tokensOf(person) }).user$.get()))!.id),
  ) as Promise<[string, string]>

/** A world whose pages share a storage, and a cache that follows. */
async function following(hooks: Partial<FollowHooks> = {}, options: Partial<ClientOptions> = {}) {
  const localStorage = keyStorage()
  const unhandled: unknown[] = []
  const host = { localStorage }
  const onUnhandled = (error: unknown) => void unhandled.push(error)
  const all = await world({ app: { host, onUnhandled, ...options } })
  const [adaId, graceId] = await ids(all)
  const changes: PersonChange[] = []
  const follow = (app: ClientApp, more: Partial<FollowHooks> = hooks) =>
    followIdentity(app, {
      ...more,
      clear(change) {
        changes.push(change)
        return more.clear?.(change)
      },
    })
  const page = (given: Partial<ClientOptions> = {}) => all.newApp({ host, onUnhandled, ...given })
  const become = (app: ClientApp, person: typeof ada) => all.settled(app.signInWithPassword(credentialsOf(person)))
  const take = () => changes.splice(0)
  return { ...all, adaId, graceId, changes, take, follow, page, become, localStorage, unhandled, host }
}

/** A promise that is settled from outside. */
function later() {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined]
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve: () => resolve(), reject: (error: unknown) => reject(error) }
}

const noop = () => undefined

describe('followIdentity', () => {
  // Promise: follow-identity
  it('cancels and clears before any store, auth$ or listener shows the next person', async () => {
    const { app, clock, follow, become, adaId, graceId, take } = await following()
    const seen: string[] = []
    follow(app)
    take()
    app.auth$.subscribe(auth => seen.push(`auth ${'user' in auth ? auth.user.id : auth.status}`))
    app.user$.snapshot$.subscribe(() => seen.push('user'))
    app.derive(read => read(app.user$)?.id).snapshot$.subscribe(() => seen.push('derived'))
    app.tokens$.subscribe(() => seen.push('tokens'))
    await clock.advance(1000)
    expect(seen).toContain(`auth ${adaId}`)
    followIdentity(app, {
      cancel: () => seen.push('cancel'),
      clear: ({ from, to, cause }) => {
        const auth = app.auth$.value
        seen.push(`clear ${from} ${to} ${cause}, auth is ${'user' in auth ? auth.user.id : auth.status}`)
      },
    })
    seen.splice(0)
    await become(app, grace)
    expect(seen.slice(0, 2)).toEqual(['cancel', `clear ${adaId} ${graceId} signed-in, auth is ${adaId}`])
    await clock.advance(1000)
    expect(seen.filter(line => /clear|cancel/.test(line))).toHaveLength(2)
    expect(seen.at(-1)).toBeDefined()
    expect(seen).toContain(`auth ${graceId}`)
    expect(seen).not.toContain(`auth ${adaId}`)
    expect(take()).toEqual([{ from: adaId, to: graceId, cause: 'signed-in' }])
  })

  it('clears at sign-out, before auth$ is signed out', async () => {
    const { app, settled, follow, adaId, take } = await following()
    const seen: string[] = []
    follow(app, { clear: () => void seen.push('clear') })
    take()
    app.auth$.subscribe(({ status }) => seen.push(status))
    await settled(app.user$.get())
    seen.splice(0)
    await settled(app.signOut())
    expect(seen).toEqual(['clear', 'signed-out'])
    expect(take()).toEqual([{ from: adaId, to: null, cause: 'signed-out' }])
  })

  // Promise: follow-identity
  it('clears nothing for new tokens and new sessions of the same person', async () => {
    const { app, clock, settled, follow, become, take } = await following()
    follow(app)
    take()
    await clock.advance(600_000)
    await settled(app.accessToken())
    await become(app, ada)
    await clock.advance(1000)
    expect(take()).toEqual([])
  })

  it('clears nothing when an anonymous user signs up and keeps the id', async () => {
    const localStorage = keyStorage()
    const { newApp, settled, clock } = await world({ platform: { wire: '2026' } })
    const app = newApp({ host: { localStorage } })
    const changes: PersonChange[] = []
    followIdentity(app, { clear: change => void changes.push(change) })
    await settled(app.signUpAnonymously())
    const { id } = (await settled(app.anyUser$.get()))!
    changes.splice(0)
    await settled(
      app.signUpWithPassword({
        email: 'new@example.com',
        password: 'correct horse',
        verificationCallbackUrl: null,
      }),
    )
    await clock.advance(1000)
    const now = (await settled(app.user$.get()))!.id
    expect(now).toBe(id)
    expect(changes).toEqual([])
  })

  it.each([
    ['says that the user does not exist any more', 0, (app: ClientApp): Promise<unknown> => app.user$.refresh()],
    ['refuses the session', 600_000, (app: ClientApp): Promise<unknown> => app.accessToken()],
  ])('clears as signed out when the platform %s', async (_, millis, ask) => {
    const { app, platform, clock, settled, follow, adaId, take } = await following()
    follow(app)
    take()
    await settled(createServerApp(platform.serverOptions).deleteUserById({ userId: adaId }))
    await clock.advance(millis)
    await settled(ask(app))
    expect(take()).toEqual([{ from: adaId, to: null, cause: 'signed-out' }])
  })

  it('runs several in the order of their calls, and none that has ended', async () => {
    const { app, settled, follow } = await following()
    const seen: string[] = []
    const add = (name: string) =>
      follow(app, { cancel: () => void seen.push(`cancel ${name}`), clear: () => void seen.push(`clear ${name}`) })
    add('one')
    const stop = add('two')
    add('three')
    stop()
    stop()
    seen.splice(0)
    await settled(app.signOut())
    expect(seen).toEqual(['cancel one', 'clear one', 'cancel three', 'clear three'])
  })

  it('ends one that an earlier one ends', async () => {
    const { app, settled, follow } = await following()
    const seen: string[] = []
    const ends: (() => void)[] = []
    follow(app, { clear: () => ends.forEach(end => end()) })
    ends.push(follow(app, { clear: () => void seen.push('second') }))
    seen.splice(0)
    await settled(app.signOut())
    expect(seen).toEqual([])
  })

  it.each([
    ['clear', {}],
    ['clear', { clear: 'all' }],
    ['cancel', { clear: noop, cancel: 1 }],
    ['limitMillis', { clear: noop, limitMillis: -1 }],
    ['limitMillis', { clear: noop, limitMillis: Infinity }],
    ['name', { clear: noop, name: 7 as never }],
    ['input', undefined],
  ])('refuses a wrong %s', async (field: string, hooks: unknown) => {
    const { app } = await world()
    expect(() => followIdentity(app, hooks as FollowHooks)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) }),
    )
  })

  it('refuses a kit that has been disposed of', async () => {
    const { app } = await world()
    app.dispose()
    expect(() => followIdentity(app, { clear: () => undefined })).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})

describe('while clear is pending', () => {
  // Promise: follow-identity
  it('auth$ is unknown and stores of the session are pending until it settles', async () => {
    const gate = later()
    const { app, clock, follow, become, graceId, settled } = await following()
    follow(app, { clear: ({ cause }) => (cause === 'start' ? undefined : gate.promise) })
    const shown: unknown[] = []
    app.auth$.subscribe(auth => shown.push('user' in auth ? auth.user.id : auth.status))
    const emitted: unknown[] = []
    app.user$.subscribe(user => emitted.push(user?.id))
    const mine$ = app.derive(read => read(app.user$)?.id)
    mine$.subscribe(id => emitted.push(id))
    await clock.advance(0)
    shown.splice(0)
    emitted.splice(0)
    await become(app, grace)
    await clock.advance(1500)
    expect(shown).toEqual(['unknown'])
    expect(emitted).toEqual([])
    for (const store of [app.user$, app.anyUser$, app.teams$, mine$])
      expect(store.snapshot).toEqual({ status: 'pending' })
    expect(app.tokens$.value).toBeUndefined()
    gate.resolve()
    await clock.advance(0)
    expect(shown).toEqual(['unknown', graceId])
    expect(emitted).toEqual([graceId, graceId])
    expect((await settled(app.user$.get()))!.id).toBe(graceId)
    expect(app.tokens$.value).toBeTruthy()
  })

  it('signed out is shown after it too', async () => {
    const gate = later()
    const { app, clock, follow, settled } = await following()
    follow(app, { clear: ({ cause }) => (cause === 'signed-out' ? gate.promise : undefined) })
    const shown: unknown[] = []
    app.auth$.subscribe(({ status }) => shown.push(status))
    await clock.advance(0)
    await settled(app.signOut())
    app.teams$.subscribe()
    await clock.advance(100)
    expect(shown.at(-1)).toBe('unknown')
    expect(app.user$.snapshot.status).toBe('pending')
    expect(app.teams$.snapshot.status).toBe('pending')
    gate.resolve()
    await clock.advance(0)
    expect(shown.at(-1)).toBe('signed-out')
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: null })
    expect(app.teams$.snapshot).toMatchObject({ status: 'ready', value: [] })
  })

  // Promise: follow-identity
  it.each([
    [undefined, 1999, 'unknown'],
    [undefined, 2000, 'signed-in'],
    [500, 499, 'unknown'],
    [500, 500, 'signed-in'],
    [0, 0, 'signed-in'],
  ])('with a limit of %p, after %i ms auth$ is %s', async (limitMillis, millis, status) => {
    const { app, clock, follow, become } = await following()
    follow(app, { clear: () => new Promise(() => undefined), ...(limitMillis !== undefined && { limitMillis }) })
    app.auth$.subscribe()
    await clock.advance(5000)
    const signingIn = become(app, grace)
    await signingIn
    await clock.advance(millis)
    expect(app.auth$.value.status).toBe(status)
  })

  it('get() and refresh() wait for it, also inside of it, and the limit ends that', async () => {
    const { app, clock, follow, become, graceId, take } = await following()
    const got: unknown[] = []
    follow(app, {
      async clear({ cause }) {
        if (cause !== 'signed-in') return
        got.push((await app.user$.get())?.id)
        got.push(await app.derive(read => read(app.user$)?.id).get())
      },
    })
    await clock.advance(0)
    take()
    await become(app, grace)
    const outside = app.user$.refresh()
    await clock.advance(1999)
    expect(got).toEqual([])
    await clock.advance(1)
    expect((await outside)?.id).toBe(graceId)
    expect(got).toEqual([graceId, graceId])
  })

  it('a get() that was under way when the session ended elsewhere has the value for signed out', async () => {
    const page = browser()
    const { clock, platform } = page
    await page.signIn(ada)
    const [{ app }, other] = [page.tab(), page.tab()]
    const gate = later()
    followIdentity(app, { clear: () => gate.promise })
    platform.faults.every('GET /users/me', { delayMillis: 1000 })
    platform.faults.every('GET /teams', { delayMillis: 1000 })
    const answers = Promise.all([app.user$.get(), app.derive(read => read(app.user$)).get(), app.teams$.refresh()])
    await clock.advance(100)
    other.app.signOut().catch(() => undefined)
    await clock.advance(500)
    expect(app.user$.snapshot.status).toBe('pending')
    gate.resolve()
    await clock.advance(100)
    expect(await clock.settled(answers)).toEqual([null, null, []])
    for (const each of [app, other.app]) each.dispose()
  })

  it('an abort ends a get() that waits', async () => {
    const { app, clock, follow, become, settled } = await following()
    follow(app, { clear: () => new Promise(() => undefined) })
    await clock.advance(2000)
    await become(app, grace)
    const controller = new AbortController()
    const getting = app.user$.get({ signal: controller.signal })
    controller.abort()
    await expect(settled(getting)).rejects.toMatchObject({ code: 'ABORTED' })
  })

  // Promise: follow-identity
  it('a rejection goes to onUnhandled and ends the delay', async () => {
    const gate = later()
    const { app, clock, follow, become, unhandled } = await following()
    follow(app, { clear: ({ cause }) => (cause === 'start' ? undefined : gate.promise) })
    app.auth$.subscribe()
    await clock.advance(0)
    await become(app, grace)
    await clock.advance(100)
    expect(app.auth$.value.status).toBe('unknown')
    gate.reject(new Error('locked'))
    await clock.advance(0)
    expect(app.auth$.value.status).toBe('signed-in')
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED', cause: { message: 'locked' } }])
  })

  it('another change clears again and is delayed by both', async () => {
    const gates = [later(), later()]
    const { app, clock, follow, become, settled, adaId, graceId, take } = await following()
    let count = -1
    follow(app, { clear: ({ cause }) => (cause === 'start' ? undefined : gates[++count]!.promise) })
    const shown: unknown[] = []
    app.auth$.subscribe(({ status }) => shown.push(status))
    await clock.advance(0)
    take()
    await become(app, grace)
    await settled(app.signOut())
    gates[1]!.resolve()
    await clock.advance(100)
    expect(shown.at(-1)).toBe('unknown')
    gates[0]!.resolve()
    await clock.advance(0)
    expect(shown).toEqual(['unknown', 'signed-in', 'unknown', 'signed-out'])
    expect(take()).toEqual([
      { from: adaId, to: graceId, cause: 'signed-in' },
      { from: graceId, to: null, cause: 'signed-out' },
    ])
  })

  it('a sign-out by clear itself ends signed out, without a dead lock', async () => {
    const { app, clock, follow, become, take, graceId } = await following()
    follow(app, {
      clear: ({ to }) => (to === graceId ? app.signOut() : undefined),
    })
    app.auth$.subscribe()
    await clock.advance(0)
    take()
    await become(app, grace)
    await clock.advance(2000)
    expect(app.auth$.value.status).toBe('signed-out')
    expect(take().map(({ to }) => to)).toEqual([graceId, null])
  })

  it('a cache that is added by a clear is cleared after it', async () => {
    const { app, follow, become, graceId } = await following()
    const seen: string[] = []
    follow(app, {
      clear({ to }) {
        if (to !== graceId) return
        seen.push('one begins')
        follow(app, { clear: () => void seen.push('two') })
        seen.push('one returns')
      },
    })
    await become(app, grace)
    expect(seen).toEqual(['one begins', 'one returns', 'two'])
  })

  it('the disposal of the kit ends it, with no timer left', async () => {
    const { app, clock, follow, become } = await following()
    follow(app, { clear: () => new Promise(() => undefined) })
    await clock.advance(5000)
    await become(app, grace)
    const getting = app.user$.get()
    getting.catch(() => undefined)
    app.dispose()
    await expect(getting).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(app.auth$.value.status).toBe('unknown')
  })

  it('a clear that disposes of the kit ends everything', async () => {
    const { app, settled, follow, clock } = await following()
    follow(app, {
      clear({ cause }) {
        if (cause === 'signed-out') app.dispose()
      },
    })
    const second = jest.fn()
    follow(app, { clear: second })
    second.mockClear()
    app.auth$.subscribe()
    await clock.advance(0)
    await settled(app.signOut())
    expect(second).not.toHaveBeenCalled()
  })

  it('a store of the app keeps its value', async () => {
    const { app, clock, follow, become } = await following()
    follow(app, { clear: () => new Promise(() => undefined) })
    app.project$.subscribe()
    await clock.advance(5000)
    await become(app, grace)
    expect(app.project$.snapshot.status).toBe('ready')
  })
})

describe('what hooks do', () => {
  it.each(['clear', 'cancel'])('a %s that throws goes to onUnhandled, and the next one still runs', async name => {
    const { app, settled, follow, unhandled } = await following()
    const fail = () => {
      throw new Error('broken')
    }
    const seen: string[] = []
    follow(app, { clear: () => void seen.push('own clear'), [name]: fail })
    follow(app, { clear: () => void seen.push('clear') })
    seen.splice(0)
    unhandled.splice(0)
    app.auth$.subscribe()
    await settled(app.signOut())
    expect(seen).toEqual(name === 'cancel' ? ['own clear', 'clear'] : ['clear'])
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED', cause: { message: 'broken' } }])
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it('a member of the hooks that throws when it is read later holds nothing', async () => {
    const { app, follow, become, clock, unhandled, adaId, graceId, take } = await following()
    let isLater = false
    const read = <T>(value: T) => {
      if (isLater) throw new Error('not any more')
      return value
    }
    followIdentity(app, {
      get clear() {
        return read(() => Promise.resolve())
      },
      get cancel() {
        return read(noop)
      },
      get limitMillis() {
        return read(100)
      },
    })
    follow(app)
    app.user$.subscribe()
    await clock.advance(0)
    take()
    isLater = true
    const signingIn = become(app, grace)
    await clock.advance(100)
    expect((await signingIn).ok).toBe(true)
    expect((await clock.settled(app.user$.get()))!.id).toBe(graceId)
    expect(take()).toEqual([{ from: adaId, to: graceId, cause: 'signed-in' }])
    expect(unhandled).toHaveLength(2)
  })

  it('a promise of cancel may reject', async () => {
    const { app, settled, follow, unhandled } = await following()
    follow(app, { cancel: () => Promise.reject(new Error('late')) as never })
    await settled(app.signOut())
    expect(unhandled).toMatchObject(Array(2).fill({ cause: { message: 'late' } }))
  })

  it('a subscription inside clear has what is shown so far, then the next person', async () => {
    const { app, clock, follow, become, adaId, graceId } = await following()
    const seen: unknown[] = []
    follow(app, {
      clear({ cause }) {
        if (cause !== 'start') app.user$.subscribe(user => seen.push(user?.id))
      },
    })
    const other: unknown[] = []
    app.user$.snapshot$.subscribe(one => other.push(one.status === 'ready' ? one.value?.id : one.status))
    await clock.advance(0)
    other.splice(0)
    await become(app, grace)
    await clock.advance(1000)
    expect(seen).toEqual([adaId, graceId])
    expect(other).toEqual(['pending', graceId])
  })

  it('a change while subscribers are notified is followed after them', async () => {
    const { app, clock, follow, become, changes, adaId, graceId, settled } = await following()
    follow(app)
    changes.splice(0)
    const seen: unknown[] = []
    let signingOut: Promise<void> | undefined
    app.user$.subscribe(user => {
      if (user?.id === graceId) signingOut ??= app.signOut()
    })
    app.user$.subscribe(user => seen.push([user?.id ?? null, changes.length]))
    await clock.advance(0)
    await become(app, grace)
    await clock.advance(1000)
    await settled(signingOut!)
    expect(seen).toEqual([
      [adaId, 0],
      [graceId, 1],
      [null, 2],
    ])
  })
})

describe('at the start of a page', () => {
  // Promise: follow-identity
  it('clears unless the mark names the same person, and the mark contains no id', async () => {
    const { page, follow, take, tokensOf, localStorage, adaId, graceId, platform, settled } = await following()
    const open = async (person: typeof ada | null) => {
      const app = page({ tokens: person ? await tokensOf(person) : memoryTokens() })
      follow(app, {})
      await settled(app.user$.get())
      return take()
    }
    expect(await open(ada)).toEqual([{ from: null, to: adaId, cause: 'start' }])
    expect([...localStorage.items.keys()]).toEqual([`rxauth-person-${platform.options.projectId}`])
    expect(await open(ada)).toEqual([])
    expect(await open(grace)).toEqual([{ from: null, to: graceId, cause: 'start' }])
    expect(await open(ada)).toEqual([{ from: null, to: adaId, cause: 'start' }])
    expect(await open(null)).toEqual([{ from: null, to: null, cause: 'start' }])
    expect(await open(null)).toEqual([])
    const text = [...localStorage.items.values()].join()
    expect(text).not.toContain(adaId.slice(0, 8))
    expect(text).toMatch(/^[0-9a-z]+$/)
  })

  it('holds auth$ for a promise of it', async () => {
    const gate = later()
    const { page, tokensOf, clock } = await following()
    const app = page({ tokens: await tokensOf(ada) })
    followIdentity(app, { clear: () => gate.promise })
    app.auth$.subscribe()
    await clock.advance(1000)
    expect(app.auth$.value.status).toBe('unknown')
    gate.resolve()
    await clock.advance(0)
    expect(app.auth$.value.status).toBe('signed-in')
  })

  it('clears again if the page was left before clear was done, or if it failed', async () => {
    const { page, follow, take, tokensOf, clock } = await following()
    const start = async (clear: FollowHooks['clear']) => {
      const app = page({ tokens: await tokensOf(ada) })
      follow(app, { clear })
      await clock.advance(0)
      return take().length
    }
    expect(await start(() => new Promise(() => undefined))).toBe(1)
    expect(await start(() => Promise.reject(new Error('locked')))).toBe(1)
    expect(await start(() => Promise.resolve())).toBe(1)
    expect(await start(() => Promise.resolve())).toBe(0)
  })

  it('clears again if the page was left while a later clear was pending, or failed, after an earlier one had ended', async () => {
    const { page, follow, become, take, tokensOf, clock, localStorage } = await following()
    for (const last of [new Promise<void>(() => undefined), Promise.reject(new Error('locked'))]) {
      last.catch(() => undefined)
      localStorage.items.clear()
      const first = later()
      const clears = [first.promise, last]
      const app = page({ tokens: await tokensOf(ada) })
      follow(app, { clear: () => clears.shift() })
      await clock.advance(0)
      await become(app, grace)
      first.resolve()
      await clock.advance(0)
      take()
      follow(page({ tokens: await tokensOf(grace) }), {})
      await clock.advance(0)
      expect(take()).toHaveLength(1)
    }
  })

  it.each([
    ['is still clearing', () => new Promise<void>(() => undefined)],
    ['has failed to clear', () => Promise.reject(new Error('locked'))],
    [
      'has thrown',
      () => {
        throw new Error('locked')
      },
    ],
  ])('clears again if an earlier call %s, although a later one has cleared', async (_, clear) => {
    const { page, follow, take, tokensOf, clock } = await following()
    const app = page({ tokens: await tokensOf(ada) })
    follow(app, { clear })
    follow(app, {})
    await clock.advance(10_000)
    expect(take()).toHaveLength(2)
    follow(page({ tokens: await tokensOf(ada) }), {})
    expect(take()).toHaveLength(1)
  })

  it.each([
    ['the only one, the user before', 0, ada],
    ['the only one, the user after', 0, grace],
    ['one of two, the user before', 1, ada],
    ['one of two, the user after', 1, grace],
  ])('clears again if the call had ended at a change: %s', async (_, others, person) => {
    const { page, follow, become, take, tokensOf, clock } = await following()
    const app = page({ tokens: await tokensOf(ada) })
    for (let count = 0; count < others; count++) follow(app)
    const stop = follow(app)
    await clock.advance(0)
    stop()
    await become(app, grace)
    take()
    follow(page({ tokens: await tokensOf(person) }))
    expect(take()).toMatchObject([{ from: null, cause: 'start' }])
  })

  it('clears nothing if a call that had ended at a change was made again after it', async () => {
    const { page, follow, become, take, tokensOf, clock, graceId } = await following()
    const app = page({ tokens: await tokensOf(ada) })
    follow(app)
    const stop = follow(app)
    await clock.advance(0)
    stop()
    await become(app, grace)
    take()
    follow(app)
    expect(take()).toEqual([{ from: null, to: graceId, cause: 'start' }])
    follow(page({ tokens: await tokensOf(grace) }))
    expect(take()).toEqual([])
  })

  it('a page without a user clears nothing after a sign-out that has cleared', async () => {
    const { app, page, follow, take, settled, clock } = await following()
    follow(app)
    await settled(app.signOut())
    take()
    follow(page())
    await clock.advance(0)
    expect(take()).toEqual([])
  })

  it('a storage that throws counts as no mark, and breaks nothing', async () => {
    const { page, follow, take, tokensOf, settled, unhandled, adaId } = await following()
    for (let pages = 0; pages < 2; pages++) {
      const app = page({ tokens: await tokensOf(ada), host: { localStorage: brokenStorage() } })
      follow(app)
      await settled(app.signOut())
      expect(take()).toEqual([
        { from: null, to: adaId, cause: 'start' },
        { from: adaId, to: null, cause: 'signed-out' },
      ])
    }
    expect(unhandled).toEqual([])
  })

  // Promise: follow-identity-opened-again
  it('of a tab that is opened again clears if another person was shown meanwhile, whose mark is there', async () => {
    const { page, follow, take, tokensOf, clock, adaId, graceId, localStorage } = await following()
    const tabs = [tabStorage(), tabStorage(), tabStorage()] as const
    const open = async (person: typeof ada, sessionStorage: TabStorage) => {
      const app = page({ tokens: await tokensOf(person), host: { localStorage, sessionStorage } })
      follow(app)
      await clock.advance(0)
      app.dispose()
      return take()
    }
    expect(await open(ada, tabs[0])).toEqual([{ from: null, to: adaId, cause: 'start' }])
    // Their own storages are empty, and those of all are of the same person.
    expect(await open(ada, tabs[1])).toEqual([])
    expect(await open(grace, tabs[2])).toEqual([{ from: null, to: graceId, cause: 'start' }])
    for (const tab of tabs.slice(0, 2)) {
      expect(await open(grace, tab)).toEqual([{ from: null, to: graceId, cause: 'start' }])
      expect(await open(grace, tab)).toEqual([])
    }
    expect(await open(grace, tabStorage())).toEqual([])
  })

  it.each(['two apps of one origin', 'two kits of one page'])('of %s is its own where they have names', async of => {
    const { page, follow, take, tokensOf, clock, adaId, graceId } = await following()
    const visit = async (person: typeof ada, names: readonly string[]) => {
      const tokens = await tokensOf(person)
      const apps = names.map(name => {
        const app = page({ tokens })
        follow(app, { name })
        return app
      })
      await clock.advance(0)
      for (const app of apps) app.dispose()
      return take()
    }
    const start = (to: string) => ({ from: null, to, cause: 'start' })
    if (of === 'two kits of one page') {
      expect(await visit(ada, ['shop', 'chat'])).toEqual([start(adaId), start(adaId)])
      expect(await visit(ada, ['shop', 'chat'])).toEqual([])
      return
    }
    expect(await visit(ada, ['admin'])).toEqual([start(adaId)])
    expect(await visit(grace, ['shop'])).toEqual([start(graceId)])
    // The admin area has kept what it had of Ada.
    expect(await visit(grace, ['admin'])).toEqual([start(graceId)])
    expect(await visit(grace, ['admin', 'shop'])).toEqual([])
  })

  it('of several names in one kit calls each of them once per change', async () => {
    const { app, follow, become, take, adaId, graceId, clock } = await following()
    for (const name of ['queries', 'drafts']) follow(app, { name })
    await clock.advance(0)
    take()
    await become(app, grace)
    const change = { from: adaId, to: graceId, cause: 'signed-in' }
    expect(take()).toEqual([change, change])
  })

  it('of a tab that was left before its clear was done clears again, though another tab has', async () => {
    const { page, follow, take, tokensOf, clock, localStorage } = await following()
    const tabs = [tabStorage(), tabStorage()] as const
    const start = async (sessionStorage: TabStorage, clear: FollowHooks['clear']) => {
      const app = page({ tokens: await tokensOf(ada), host: { localStorage, sessionStorage } })
      follow(app, { clear })
      await clock.advance(0)
      app.dispose()
      return take().length
    }
    expect(await start(tabs[0], () => new Promise(() => undefined))).toBe(1)
    expect(await start(tabs[1], noop)).toBe(1)
    expect(await start(tabs[0], noop)).toBe(1)
    expect(await start(tabs[0], noop)).toBe(0)
    expect(await start(tabs[1], noop)).toBe(0)
  })

  it('a storage of the tab that throws counts as none, if it cannot be read as no mark', async () => {
    const { page, follow, take, tokensOf, clock, localStorage, unhandled } = await following()
    const full = { ...tabStorage(), setItem: brokenStorage().setItem }
    const start = async (sessionStorage: NonNullable<ClientOptions['host']>['sessionStorage']) => {
      const app = page({
        tokens: await tokensOf(ada),
        host: { localStorage, ...(sessionStorage && { sessionStorage }) },
      })
      follow(app)
      await clock.advance(0)
      app.dispose()
      return take().length
    }
    expect([await start(full), await start(full), await start(brokenStorage()), await start(undefined)]).toEqual([
      1, 0, 1, 0,
    ])
    expect(unhandled).toEqual([])
  })

  it('of a storage that is full names no person who was there before', async () => {
    const { page, follow, take, tokensOf, clock, localStorage, adaId, graceId } = await following()
    const full = { ...localStorage, setItem: brokenStorage().setItem }
    const start = async (person: typeof ada, storage: typeof localStorage) => {
      const app = page({
        tokens: await tokensOf(person),
        host: { localStorage: storage, sessionStorage: tabStorage() },
      })
      follow(app)
      await clock.advance(0)
      app.dispose()
      return take()
    }
    expect(await start(ada, localStorage)).toEqual([{ from: null, to: adaId, cause: 'start' }])
    expect(await start(grace, full)).toEqual([{ from: null, to: graceId, cause: 'start' }])
    expect(await start(ada, full)).toEqual([{ from: null, to: adaId, cause: 'start' }])
  })

  it('does nothing on a server, where there is no storage', async () => {
    const { newApp, tokensOf, follow, take, settled, adaId } = await following()
    const app = newApp({ tokens: await tokensOf(ada) })
    follow(app)
    await settled(app.user$.get())
    expect(take()).toEqual([])
    await settled(app.signOut())
    expect(take()).toEqual([{ from: adaId, to: null, cause: 'signed-out' }])
  })

  it('waits for an asynchronous token store', async () => {
    const { page, follow, take, tokensOf, clock, adaId } = await following()
    const app = page({ tokens: slowTokens(clock, 500, await ((await tokensOf(ada)) as TokenStore).read()).store })
    follow(app)
    expect(take()).toEqual([])
    await clock.advance(1000)
    expect(take()).toEqual([{ from: null, to: adaId, cause: 'start' }])
  })

  it('a later call clears too, unless the mark named the person when the page started', async () => {
    const { page, follow, take, tokensOf, clock, settled, become, adaId } = await following()
    const app = page({ tokens: await tokensOf(ada) })
    follow(app)
    expect(take()).toHaveLength(1)
    // Its own cache may have kept another person's data: the mark is of the first.
    follow(app)
    expect(take()).toEqual([{ from: null, to: adaId, cause: 'start' }])
    const again = page({ tokens: await tokensOf(ada) })
    follow(again)
    const stop = follow(again)
    await clock.advance(0)
    expect(take()).toEqual([])
    stop()
    await become(again, grace)
    await become(again, ada)
    take()
    follow(again)
    expect(take()).toEqual([{ from: null, to: adaId, cause: 'start' }])
    await settled(again.signOut())
  })
})

describe('a session of which only the refresh token is known', () => {
  const bare = async (tokens: TokenStore) =>
    memoryTokens({ accessToken: null, refreshToken: (await tokens.read())!.refreshToken })

  it('at the start it waits for the user, and clears before the user is shown', async () => {
    const { page, follow, take, tokensOf, clock, settled, adaId } = await following()
    const app = page({ tokens: await bare((await tokensOf(ada)) as TokenStore) })
    follow(app)
    await clock.advance(1000)
    expect(take()).toEqual([])
    const seen: unknown[] = []
    app.user$.subscribe(user => seen.push([user?.id, take()]))
    await clock.advance(1000)
    expect(seen).toEqual([[adaId, [{ from: null, to: adaId, cause: 'start' }]]])
    const next = page({ tokens: await bare((await tokensOf(ada)) as TokenStore) })
    follow(next)
    await settled(next.user$.get())
    expect(take()).toEqual([])
  })

  it('in place of a known user it clears at once, and tells of the user later', async () => {
    const { page, follow, take, tokensOf, clock, adaId, graceId } = await following()
    const tokens = (await tokensOf(ada)) as TokenStore
    const app = page({ tokens })
    follow(app)
    await clock.advance(0)
    take()
    const other = await bare((await tokensOf(grace)) as TokenStore)
    await tokens.replace(await tokens.read(), await other.read())
    const seen: unknown[] = []
    app.user$.subscribe(user => seen.push(user?.id))
    expect(take()).toEqual([{ from: adaId, to: null, cause: 'elsewhere' }])
    await clock.advance(1000)
    expect(take()).toEqual([{ from: null, to: graceId, cause: 'elsewhere' }])
    expect(seen).toEqual([graceId])
  })
})

describe('in other tabs', () => {
  // Promise: follow-identity
  it('each tab clears when it learns of a sign-in and a sign-out', async () => {
    const localStorage = keyStorage()
    const page = browser()
    const { clock } = page
    await page.signIn(ada)
    const seen: unknown[] = []
    const tabs = [1, 2, 3].map(number => {
      const tab = page.tab({ host: { localStorage } })
      followIdentity(tab.app, { clear: ({ cause }) => void seen.push(`${number} ${cause}`) })
      return tab
    })
    await clock.advance(1000)
    // The first has set the mark, which the others read.
    expect(seen.splice(0)).toEqual(['1 start'])
    tabs[0]!.app.signOut().catch(() => undefined)
    await clock.advance(1000)
    expect(seen.splice(0).sort()).toEqual(['1 signed-out', '2 elsewhere', '3 elsewhere'])
    tabs[1]!.app.signInWithPassword(credentialsOf(grace)).catch(() => undefined)
    await clock.advance(1000)
    expect(seen.splice(0).sort()).toEqual(['1 elsewhere', '2 signed-in', '3 elsewhere'])
    for (const { app } of tabs) app.dispose()
  })

  it('reads nothing more once it has ended', async () => {
    const page = browser()
    await page.signIn(ada)
    const { app } = page.tab({ host: { localStorage: keyStorage() } })
    const changes: PersonChange[] = []
    const stop = followIdentity(app, { clear: change => void changes.push(change) })
    changes.splice(0)
    stop()
    await page.signIn(grace)
    await page.clock.advance(5000)
    expect(changes).toEqual([])
    expect(page.channels.openCount).toBe(0)
  })
})

describe('a page that comes back from the back-forward cache', () => {
  /** A page of Ada that has gone into the cache; `changes` are those since then. */
  const left = async (hooks: Partial<FollowHooks> = {}) => {
    const all = browser()
    await all.signIn(ada)
    const adaId = (await all.userId())!
    const shown$ = new BehaviorSubject(true)
    const host = { localStorage: keyStorage() }
    const { app } = all.tab({ host: { ...host, shown$ } })
    const seen: unknown[] = []
    const stop = followIdentity(app, {
      ...hooks,
      clear(change) {
        seen.push(change)
        return hooks.clear?.(change)
      },
    })
    app.auth$.subscribe(auth => seen.push('user' in auth ? auth.user.id : auth.status))
    await all.clock.advance(3000)
    shown$.next(false)
    seen.splice(0)
    onTestEnd.push(() => app.dispose())
    return { ...all, adaId, app, host, seen, shown$, stop }
  }
  const onTestEnd: (() => void)[] = []
  afterEach(() => onTestEnd.splice(0).forEach(end => end()))

  // Promise: follow-identity-back-forward
  it('clears at its return, before anything shows the user who has signed in meanwhile', async () => {
    const { adaId, clock, seen, shown$, signIn, userId } = await left()
    await signIn(grace)
    const graceId = (await userId())!
    await clock.advance(600_000)
    expect(seen).toEqual([])
    shown$.next(true)
    expect(seen).toEqual([{ from: adaId, to: graceId, cause: 'elsewhere' }, 'unknown'])
    await clock.advance(1000)
    expect(seen.slice(2)).toEqual([graceId])
  })

  // Promise: follow-identity-back-forward
  it('clears at its return if another tab has signed out', async () => {
    const { adaId, clock, host, seen, shown$, tab } = await left()
    const other = tab({ host })
    await clock.settled(other.app.signOut())
    expect(seen).toEqual([])
    shown$.next(true)
    expect(seen).toEqual([{ from: adaId, to: null, cause: 'elsewhere' }, 'signed-out'])
    other.app.dispose()
  })

  // Promise: follow-identity-back-forward
  it('clears nothing for a new session of the same user, also after another user in between', async () => {
    const { clock, seen, shown$, signIn } = await left()
    for (const between of [[ada], [grace, ada]]) {
      for (const person of between) await signIn(person)
      shown$.next(true)
      await clock.advance(1000)
      shown$.next(false)
    }
    expect(seen.filter(line => typeof line === 'object')).toEqual([])
  })

  // Promise: follow-identity-back-forward
  it('shows no user in its first frame while clear is pending', async () => {
    const cleared = later()
    let isFirst = true
    const { app, clock, seen, shown$, signIn, userId } = await left({
      clear: () => (isFirst ? void (isFirst = false) : cleared.promise),
    })
    await signIn(grace)
    shown$.next(true)
    expect(app.auth$.value.status).toBe('unknown')
    await clock.advance(1000)
    expect(app.auth$.value.status).toBe('unknown')
    cleared.resolve()
    await clock.advance(1000)
    expect(seen.at(-1)).toBe(await userId())
  })

  it('is not cleared once it has ended', async () => {
    const { clock, seen, shown$, signIn, stop } = await left()
    stop()
    await signIn(grace)
    shown$.next(true)
    await clock.advance(1000)
    expect(seen.filter(line => typeof line === 'object')).toEqual([])
  })
})
