import { confirmIdentity, memoryTokens, type ClientApp, type PasskeyAuthenticator, type TokenStore } from 'rxauth'
import { signInPage, virtualWeb } from '../oauth-web'
import { ada, world, type World } from '../world'

/** A part of a browser that answers when `answer` is called, and otherwise never. */
function silent() {
  const waiting: (() => void)[] = []
  let begin: () => void = () => undefined
  return {
    begun: new Promise<void>(resolve => (begin = resolve)),
    asked: () => waiting.length,
    answer: () => {
      for (const run of waiting.splice(0)) run()
    },
    until: <T>(run: () => T | PromiseLike<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push(() => void Promise.resolve().then(run).then(resolve, reject))
        begin()
      }),
  }
}

const password = { email: ada.email, password: ada.password }

type Silent = ReturnType<typeof silent>

async function scene() {
  const inner = await world({ platform: { seed: { project: { config: { passkeyEnabled: true } }, users: [ada] } } })
  const software = inner.platform.authenticator()
  const hostname = 'localhost'
  await inner.settled(inner.app.registerPasskey({ hostname, authenticator: software }))
  inner.requests.length = 0
  return { ...inner, software, hostname }
}

/** The authenticator of a password manager that ignores its signal. */
function manager({ software }: { readonly software: PasskeyAuthenticator }, one: Silent): PasskeyAuthenticator {
  const still = { signal: new AbortController().signal }
  return {
    create: (options, ceremony) => one.until(() => software.create(options, { ...ceremony, ...still })),
    get: (options, ceremony) => one.until(() => software.get(options, { ...ceremony, ...still })),
  }
}

/** A token store in a worker or an extension that does not answer, from `isSilent` on. */
function slowTokens(one: Silent, isSilent: (method: 'read' | 'replace', next?: unknown) => boolean): TokenStore {
  const inner = memoryTokens()
  return {
    read: () => (isSilent('read') ? one.until(() => inner.read()) : inner.read()),
    replace: (expected, next) =>
      isSilent('replace', next) ? one.until(() => inner.replace(expected, next)) : inner.replace(expected, next),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>
type Call = (all: Scene, one: Silent, signal: AbortSignal) => [app: ClientApp, done: Promise<unknown>]

const calls: Readonly<Record<string, Call>> = {
  'a sign-in by passkey': (all, one, signal) => {
    const app = all.newApp()
    const input = { hostname: all.hostname, authenticator: manager(all, one) }
    return [app, app.signInWithPasskey(input, { signal })]
  },
  'a sign-in with what is saved': (all, one, signal) => {
    const app = all.newApp()
    const authenticator = { ...manager(all, one), getSaved: manager(all, one).get }
    return [app, app.signInWithSaved({ hostname: all.hostname, authenticator, signal })]
  },
  'a new passkey': (all, one, signal) => {
    const input = { hostname: all.hostname, authenticator: manager(all, one) }
    return [all.app, all.app.registerPasskey(input, { signal })]
  },
  'a confirmation by passkey': (all, one, signal) => {
    const input = { method: 'passkey', hostname: all.hostname, authenticator: manager(all, one) } as const
    return [all.app, confirmIdentity(all.app, input, { signal })]
  },
  'a sign-in whose token store cannot be asked': (all, one, signal) => {
    const app = all.newApp({ tokens: slowTokens(one, method => method === 'replace') })
    return [app, app.signInWithPassword(password, { signal })]
  },
}

const routes = ['POST /auth/passkey/sign-in', 'POST /auth/passkey/register', 'POST /auth/password/sign-in']

/** What a late answer would send. */
function sentBy({ requests }: World): string[] {
  return requests.filter(line => routes.includes(line))
}

describe.each(Object.entries(calls))('%s that a browser never answers', (_, call) => {
  // Promise: hanging-browser
  it.each([
    ['ABORTED', (__: ClientApp, controller: AbortController) => controller.abort()],
    ['DISPOSED', (app: ClientApp) => app.dispose()],
  ] as const)('ends at once with %s, and a late answer is dropped', async (code, end) => {
    const all = await scene()
    const one = silent()
    const controller = new AbortController()
    const [app, done] = call(all, one, controller.signal)
    done.catch(() => undefined)
    await all.settled(one.begun)
    end(app, controller)
    await expect(all.settled(done)).rejects.toMatchObject({ code })
    const before = app.auth$.value
    one.answer()
    await all.clock.advance(1000)
    expect(sentBy(all)).toEqual([])
    expect(app.auth$.value).toEqual(before)
  })
})

describe('after a passkey ceremony that never answered and was aborted', () => {
  // Promise: hanging-browser
  it('the next one starts, and its error is the value that the browser gives', async () => {
    const all = await scene()
    const app = all.newApp()
    const controller = new AbortController()
    const input = { hostname: all.hostname, authenticator: manager(all, silent()) }
    const hung = app.signInWithPasskey(input, { signal: controller.signal })
    await all.clock.advance(0)
    controller.abort()
    await expect(all.settled(hung)).rejects.toMatchObject({ code: 'ABORTED' })
    // A browser runs one at a time.
    const busy = () => Promise.reject(new DOMException('A request is already pending.', 'OperationError'))
    const refused = await all.settled(app.signInWithPasskey({ ...input, authenticator: { create: busy, get: busy } }))
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'PASSKEY_WEBAUTHN_ERROR', details: { code: 'OperationError' } },
    })
    const next = app.signInWithPasskey({ ...input, authenticator: all.software })
    expect(await all.settled(next)).toMatchObject({ ok: true })
  })

  // Promise: hanging-browser
  it('suggestions of a form are offered again', async () => {
    const all = await scene()
    const app = all.newApp()
    const controller = new AbortController()
    const one = silent()
    const input = { hostname: all.hostname, authenticator: manager(all, one) }
    app.passkeyAutofill$(input).subscribe()
    await all.clock.advance(0)
    const hung = app.signInWithPasskey(input, { signal: controller.signal })
    hung.catch(() => undefined)
    await all.clock.advance(0)
    const before = one.asked()
    controller.abort()
    await all.clock.advance(0)
    expect(one.asked()).toBe(before + 1)
  })

  it('so they are after a confirmation whose user has signed out meanwhile', async () => {
    const all = await scene()
    const one = silent()
    const hung = confirmIdentity(all.app, {
      method: 'passkey',
      hostname: all.hostname,
      authenticator: manager(all, one),
    })
    hung.catch(() => undefined)
    await all.clock.advance(0)
    await all.settled(all.app.signOut())
    await expect(all.settled(hung)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    all.app.passkeyAutofill$({ hostname: all.hostname, authenticator: manager(all, one) }).subscribe()
    await all.clock.advance(0)
    expect(one.asked()).toBe(2)
    one.answer()
    await all.clock.advance(0)
    // That of the suggestion, and none of the confirmation.
    expect(sentBy(all)).toEqual(['POST /auth/passkey/sign-in'])
  })
})

describe('a token store that does not answer', () => {
  // Promise: hanging-browser
  it.each([
    ['is read before the session is kept', (method: string) => method === 'read'],
    ['is written', (method: string, next?: unknown) => method === 'replace' && next !== null],
  ] as const)('ends with the kit a sign-in for which it %s', async (_, isSilent) => {
    const all = await scene()
    const one = silent()
    const app = all.newApp({ tokens: slowTokens(one, isSilent) })
    const done = app.signInWithPassword(password)
    done.catch(() => undefined)
    await all.settled(one.begun)
    app.dispose()
    await expect(all.settled(done)).rejects.toMatchObject({ code: 'DISPOSED' })
    one.answer()
    await all.clock.advance(0)
  })
})

describe('a page that goes to a provider', () => {
  // Promise: hanging-browser
  it.each(['signInWithOAuth', 'connectAccount'] as const)('%s ends with the kit', async name => {
    const web = virtualWeb()
    const { app } = web.open(signInPage)
    if (name === 'connectAccount') await app.signInWithPassword(password)
    await web.clock.advance(0)
    const done = app[name]({ provider: 'github' })
    done.catch(() => undefined)
    await web.clock.advance(0)
    app.dispose()
    await expect(web.clock.settled(done)).rejects.toMatchObject({ code: 'DISPOSED' })
    await web.close()
  })
})
