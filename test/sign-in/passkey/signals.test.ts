import {
  accountTokens,
  createClientApp,
  createKit,
  dehydrate,
  hydrate,
  impersonate,
  memoryTokens,
  registerPasskey,
  signInWithPasskey,
  updateUser,
} from 'rxauth'
import type { ClientApp, PasskeyAuthenticator, PasskeySignal } from 'rxauth'
import { createPlatform, virtualClock, type SoftwareAuthenticator } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { runs } from '../../runs'
import { brokenStorage, keyStorage } from '../../key-storage'
import { browser, credentialsOf, type TabOptions } from '../../tabs'
import { ada, grace, world } from '../../world'

const hostname = 'localhost'
const adaId = '3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11'
const graceId = '5b0e5c0a-6a55-4c0e-9d0e-0d3c2a6f1e77'
/** The user handle of Ada's passkeys. */
const handle = Buffer.from(adaId).toString('base64url')
const seed = {
  project: { config: { passkeyEnabled: true, clientUserDeletionEnabled: true } },
  users: [
    { ...ada, id: adaId },
    { ...grace, id: graceId },
  ],
} as const
const details = { kind: 'details', rpId: hostname, userId: handle, name: ada.email, displayName: 'Ada' }
const accepted = (...ids: readonly string[]) => ({
  ...{ kind: 'accepted', rpId: hostname, userId: handle },
  allAcceptedCredentialIds: ids,
})

/** A device that notes what it hears. */
function heard(software: SoftwareAuthenticator) {
  const signals: PasskeySignal[] = []
  const authenticator: PasskeyAuthenticator = {
    create: (...all) => software.create(...all),
    get: (...all) => software.get(...all),
    signal(signal) {
      signals.push(signal)
      software.signal(signal)
    },
  }
  return { authenticator, signals, software, take: (): PasskeySignal[] => signals.splice(0) }
}

async function device(options: { readonly isRegistered?: boolean } = {}) {
  const inner = await world({ platform: { seed } })
  const { clock, newApp, platform, settled, tokensOf } = inner
  inner.app.dispose()
  const own = heard(platform.authenticator())
  const passkeys = { hostname, authenticator: own.authenticator }
  const app = newApp({ passkeys, tokens: await tokensOf(ada) })
  if (options.isRegistered ?? true) await settled(app.registerPasskey())
  await clock.advance(1000)
  own.take()
  return { ...inner, ...own, app, passkeys, id: () => own.software.list()[0]?.id ?? '' }
}

describe('what a device hears of passkeys', () => {
  it('after a registration: the new one alone is accepted, with the present address and name', async () => {
    const { app, clock, id, settled, take } = await device({ isRegistered: false })
    app.user$.subscribe()
    await clock.advance(1000)
    expect(take()).toEqual([accepted()])
    await settled(app.registerPasskey())
    await clock.advance(1000)
    expect(take()).toEqual([accepted(id()), details])
    await settled(app.registerPasskey())
    await clock.advance(1000)
    expect(take()).toEqual([accepted(id()), details])
  })

  it('after a registration in an app that does not show the user: the names as soon as it does', async () => {
    const { app, clock, id, settled, take } = await device({ isRegistered: false })
    await settled(app.registerPasskey())
    await clock.advance(1000)
    expect(take()).toEqual([accepted(id())])
    app.user$.subscribe()
    await clock.advance(1000)
    expect(take()).toEqual([details])
  })

  it('after a sign-in by passkey: that one is accepted', async () => {
    const { clock, id, newApp, passkeys, settled, take } = await device()
    expect(await settled(newApp({ passkeys }).signInWithPasskey())).toMatchObject({ ok: true })
    await clock.advance(1000)
    expect(take()).toEqual([accepted(id())])
  })

  it('after a removal: none is accepted, also where no store shows the user', async () => {
    const { app, clock, settled, software, take } = await device()
    await settled(app.updateUser({ passkeyAuthEnabled: false }))
    await clock.advance(10_000)
    expect(take()).toEqual([accepted()])
    expect(software.list()).toEqual([])
  })

  it('after a removal that the platform refuses: nothing', async () => {
    const { app, clock, platform, settled, take } = await device()
    app.user$.subscribe()
    await clock.advance(1000)
    take()
    platform.faults.next('PATCH /users/me', { status: 403 })
    await expect(settled(app.updateUser({ passkeyAuthEnabled: false }))).rejects.toMatchObject({ status: 403 })
    await clock.advance(1000)
    expect(take()).toEqual([])
  })

  it('after the user has deleted the account: none is accepted', async () => {
    const { app, clock, settled, take } = await device()
    await settled(app.deleteUser())
    await clock.advance(1000)
    expect(take()).toEqual([accepted()])
  })

  it('after a sign-out: nothing', async () => {
    const { app, clock, settled, take } = await device()
    await settled(app.signOut({ redirect: false } as never))
    await clock.advance(1000)
    expect(take()).toEqual([])
  })

  it('after a removal on another device: none is accepted, once the user is loaded', async () => {
    const { app, clock, newApp, settled, take, tokensOf } = await device()
    await settled(newApp({ tokens: await tokensOf(ada) }).updateUser({ passkeyAuthEnabled: false }))
    app.user$.subscribe()
    await clock.advance(1000)
    expect(take()).toEqual([accepted()])
    await settled(app.user$.refresh())
    expect(take()).toEqual([])
  })

  it('after a change of the name or the address, here and elsewhere: the present ones', async () => {
    const { app, clock, newApp, settled, software, take, tokensOf } = await device()
    app.user$.subscribe()
    await clock.advance(1000)
    expect(take()).toEqual([details])
    await settled(app.updateUser({ displayName: 'Countess' }))
    await clock.advance(1000)
    expect(take()).toEqual([{ ...details, displayName: 'Countess' }])
    await settled(newApp({ tokens: await tokensOf(ada) }).updateUser({ displayName: '' }))
    await clock.advance(1000)
    await settled(app.user$.refresh())
    expect(take()).toEqual([{ ...details, displayName: ada.email }])
    expect(software.list()).toMatchObject([{ name: ada.email, displayName: ada.email }])
  })

  it('after a refused sign-in: nothing, whatever the cause', async () => {
    const { authenticator, clock, newApp, settled, software, take } = await device()
    const get: PasskeyAuthenticator['get'] = (options, ceremony) =>
      software.get({ ...(options as object), challenge: 'AAAA' }, ceremony)
    const app = newApp({ passkeys: { hostname, authenticator: { ...authenticator, get } } })
    expect(await settled(app.signInWithPasskey())).toMatchObject({ error: { code: 'PASSKEY_AUTHENTICATION_FAILED' } })
    await clock.advance(1000)
    expect(take()).toEqual([])
    expect(software.list()).toHaveLength(1)
  })

  it('is of the session’s owner alone', async () => {
    const { app, clock, platform, settled, take } = await device()
    // Grace signs in while the answer with Ada's user is on its way.
    platform.faults.next('GET /users/me', { delayMillis: 500 })
    app.user$.subscribe()
    await clock.advance(10)
    await settled(app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(2000)
    expect(take().filter(({ userId }) => userId === handle)).toEqual([])
  })

  // Promise: impersonation
  it('is nothing of the user of an impersonation, or by the deletion of that user', async () => {
    const { platform, newApp, passkeys, clock, settled, take, tokensOf } = await device()
    const app = newApp({ passkeys, tokens: accountTokens(await tokensOf(ada), { storage: keyStorage() }) })
    app.user$.subscribe()
    await clock.advance(1000)
    expect(take()).toEqual([details])
    const server = createServerApp(platform.serverOptions)
    const made = await settled(server.createSession({ userId: graceId, isImpersonation: true }))
    expect(made.ok && (await settled(impersonate(app, made.value)))).toEqual({ ok: true })
    await settled(app.updateUser({ displayName: 'Rear Admiral' }))
    await settled(app.deleteUser())
    await clock.advance(1000)
    expect([take(), app.auth$.value.status]).toEqual([[], 'signed-out'])
  })

  it('is the site that the option names, which a call may replace', async () => {
    const { app, clock, settled, take } = await device({ isRegistered: false })
    await settled(app.registerPasskey({ hostname: 'app.localhost' }))
    await settled(app.updateUser({ passkeyAuthEnabled: false }))
    await clock.advance(1000)
    expect(take().map(({ rpId }) => rpId)).toEqual(['app.localhost', 'app.localhost'])
  })

  it('is nothing by the value of a page that a server has rendered before', async () => {
    const { app, clock, newApp, passkeys, settled, software, tokensOf } = await device({ isRegistered: false })
    const rendered = newApp({ tokens: await tokensOf(ada) })
    await clock.settled(rendered.user$.get())
    const payload = await settled(dehydrate(rendered, [rendered.user$]))
    await settled(app.registerPasskey())
    await clock.advance(60_000)
    const page = newApp({ passkeys, tokens: await tokensOf(ada) })
    hydrate(page, payload)
    page.user$.subscribe()
    await clock.advance(10)
    expect(software.list()).toHaveLength(1)
  })

  it('is no removal that waits for its turn while a passkey is made', async () => {
    const { clock, newApp, passkeys, settled, software, tokensOf } = await device({ isRegistered: false })
    let grant = (): void => undefined
    let turns = new Promise<void>(resolve => (grant = resolve))
    const request = (_name: string, _options: object, work: () => void) => (turns = turns.then(work))
    const host = { locks: { request: request as unknown as LockManager['request'] } }
    const app = newApp({ passkeys, host, tokens: await tokensOf(ada) })
    // The user has no passkey yet.
    app.user$.subscribe()
    await clock.advance(1000)
    await settled(app.registerPasskey())
    grant()
    await clock.advance(1000)
    expect(software.list()).toHaveLength(1)
  })

  it('begins with the first call of a passkey in an app of functions', async () => {
    const { clock, passkeys, platform, settled, take, tokensOf } = await device({ isRegistered: false })
    const kit = createKit({ ...platform.options, passkeys, tokens: await tokensOf(ada) })
    await settled(registerPasskey(kit))
    await settled(updateUser(kit, { passkeyAuthEnabled: false }))
    await clock.advance(1000)
    expect(take()).toMatchObject([{ kind: 'accepted' }, accepted()])
    expect(
      await settled(signInWithPasskey(createKit({ ...platform.options, passkeys, tokens: memoryTokens() }))),
    ).toMatchObject({ ok: false })
  })

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['never answers', () => new Promise(() => undefined)],
  ])('keeps no call waiting and is silent where the browser %s', async (_, signal) => {
    const { newApp, passkeys, settled, tokensOf } = await device({ isRegistered: false })
    const app = newApp({
      passkeys: { ...passkeys, authenticator: { ...passkeys.authenticator, signal } },
      tokens: await tokensOf(ada),
    })
    expect(await settled(app.registerPasskey())).toEqual({ ok: true })
    expect(await settled(app.updateUser({ passkeyAuthEnabled: false }))).toMatchObject({ passkeyAuthEnabled: false })
  })
})

describe('signals of several tabs', () => {
  /** Tabs of one browser with one device, in which Ada is signed in. */
  async function tabs(count: number, storage = keyStorage(), without: TabOptions['without'] = []) {
    const inner = browser({ seed })
    const own = heard(inner.platform.authenticator())
    await inner.signIn(ada)
    const passkeys = { hostname, authenticator: own.authenticator }
    const apps = Array.from(
      { length: count },
      () => inner.tab({ passkeys, without, host: { localStorage: storage } }).app,
    )
    const show = async (app: ClientApp) => {
      app.user$.subscribe()
      await inner.clock.advance(1000)
    }
    return { ...inner, ...own, apps, show }
  }

  it('are one for each change', async () => {
    const { apps, clock, show, take } = await tabs(3)
    for (const app of apps) await show(app)
    expect(take()).toEqual([accepted()])
    await clock.settled(apps[0]!.registerPasskey())
    await clock.advance(2000)
    expect(take()).toMatchObject([{ kind: 'accepted' }, details])
    await clock.settled(apps[1]!.updateUser({ displayName: 'Countess' }))
    await clock.advance(2000)
    expect(take()).toEqual([{ ...details, displayName: 'Countess' }])
    await clock.settled(apps[2]!.updateUser({ passkeyAuthEnabled: false }))
    await clock.advance(2000)
    expect(take()).toEqual([accepted()])
  })

  it('take no passkey that another tab is registering, or has just registered', async () => {
    const {
      apps: [registers, loads],
      clock,
      platform,
      software,
      take,
    } = await tabs(2, keyStorage(), ['channel'])
    // The answer is of before the registration, and arrives after it.
    platform.faults.next('GET /users/me', { delayMillis: 5000 })
    loads!.user$.subscribe()
    await clock.advance(10)
    await clock.settled(registers!.registerPasskey())
    await clock.advance(20_000)
    expect(software.list()).toHaveLength(1)
    expect(take().filter(signal => signal.kind === 'accepted' && signal.allAcceptedCredentialIds.length === 0)).toEqual(
      [],
    )
  })

  it('go on after a tab that closed during a registration, also when the clock is set back', async () => {
    const { apps, clock, show, take } = await tabs(2)
    void apps[0]!
      .registerPasskey({
        authenticator: {
          create: () => new Promise(() => undefined),
          get: () => new Promise(() => undefined),
          signal() {},
        },
      })
      .catch(() => undefined)
    await clock.advance(100)
    clock.shiftWall(-3_600_000)
    await show(apps[1]!)
    expect(take()).toEqual([accepted()])
  })

  it('that wait for another tab are not sent for a former session', async () => {
    const { apps, clock, locks, platform, show, take } = await tabs(1)
    let release = () => {}
    const isFree = new Promise<void>(resolve => (release = resolve))
    void locks.of({}).request(`rxauth-passkeys-${platform.options.projectId}`, {}, () => isFree)
    await show(apps[0]!)
    await clock.settled(apps[0]!.signInWithPassword(credentialsOf(grace)))
    release()
    await clock.advance(1000)
    expect(take().filter(({ userId }) => userId === handle)).toEqual([])
  })

  it('are sent by each tab where the storage is blocked', async () => {
    const { apps, show, take } = await tabs(2, brokenStorage())
    for (const app of apps) await show(app)
    expect(take()).toEqual([accepted(), accepted()])
  })

  it('leave no name and no id in the storage', async () => {
    const storage = keyStorage()
    const { apps, clock, show } = await tabs(1, storage)
    await clock.settled(apps[0]!.registerPasskey())
    await show(apps[0]!)
    const text = [...storage.items.values()].join()
    expect(text).toMatch(/details/)
    expect(text).not.toMatch(/ada/i)
    expect(text).not.toContain(adaId)
  })
})

// Promise: passkeys-stay-true
it('the pickers of two devices show what the platform has, after any calls in any order', async () => {
  for (let seed = 1; seed <= runs(30, 1000); seed++) await playedOnTwoDevices(seed)
}, 3_600_000)

/** Two browsers with a device each, one account, and calls in an order that the seed draws. */
async function playedOnTwoDevices(start: number): Promise<void> {
  const clock = virtualClock(undefined, { seed: start })
  const platform = createPlatform({ clock, seed })
  const devices = [0, 1].map(() => {
    const own = heard(platform.authenticator())
    const passkeys = { hostname, authenticator: own.authenticator }
    const options = { ...platform.options, passkeys, host: { localStorage: keyStorage() } }
    const pages = [0, 1].map(() => createClientApp({ ...options, tokens: memoryTokens() }))
    return { ...own, pages }
  })
  let registered: string | undefined
  let isDeleted = false
  const inTime = async <T>(promise: Promise<T>) => {
    promise.catch(() => undefined)
    await clock.advance(10_000)
    return clock.settled(promise)
  }
  const draw = <T>(all: readonly T[]) => all[Math.floor(clock.random() * all.length)]!
  const calls: readonly ((app: ClientApp, one: (typeof devices)[number]) => Promise<unknown>)[] = [
    async (app, { software }) => {
      const { ok } = await app.registerPasskey()
      if (ok) registered = software.list().at(-1)?.id
    },
    app => app.updateUser({ displayName: draw(['Ada', 'Countess', '']) }),
    async app => {
      await app.updateUser({ passkeyAuthEnabled: false })
      registered = undefined
    },
    app => app.signInWithPassword(credentialsOf(ada)),
    app => app.signInWithPasskey(),
    app => app.signOut(),
    app => app.user$.get({ maxAgeMillis: 0 }),
    // The platform refuses the answer, by its challenge.
    (app, { software }) =>
      app.signInWithPasskey({
        authenticator: {
          create: (...all) => software.create(...all),
          get: (options, ceremony) => software.get({ ...(options as object), challenge: 'AAAA' }, ceremony),
          signal: signal => software.signal(signal),
        },
      }),
  ]
  for (let step = 0; step < 25; step++) {
    const one = draw(devices)
    const isOver = step > 20 && clock.random() < 0.05
    const call = isOver ? (app: ClientApp) => app.deleteUser().then(() => (isDeleted = true)) : draw(calls)
    await inTime(call(draw(one.pages), one).catch(() => undefined))
    await clock.advance(draw([0, 10, 1000, 6000]))
    const isKept = devices.some(({ software }) => software.list().some(({ id }) => id === registered))
    if (!isDeleted && registered !== undefined && !isKept) throw new Error(`seed ${start}: a good passkey was deleted`)
  }
  // Each device hears of the account when its owner is signed in and loaded there.
  for (const { pages, software } of devices) {
    const [page] = pages as [ClientApp]
    if (!isDeleted) {
      await inTime(page.signInWithPassword(credentialsOf(ada)))
      await inTime(page.user$.get())
      await clock.advance(6000)
    }
    const user = isDeleted ? null : await inTime(page.user$.get())
    const wrong = software
      .list()
      .filter(
        each =>
          !user?.passkeyAuthEnabled ||
          (each.id === registered && each.displayName !== (user.displayName ?? user.primaryEmail)),
      )
    if (!isDeleted && wrong.length > 0) throw new Error(`seed ${start}: ${JSON.stringify(wrong)} is offered`)
  }
  for (const { pages } of devices) for (const page of pages) page.dispose()
}
