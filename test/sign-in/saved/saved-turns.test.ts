import fc from 'fast-check'
import type { Subscription } from 'rxjs'
import type { ClientApp } from 'rxauth'
import { replaceCredentials, type DeviceAnswer, type DeviceRequest } from '../../../src/testing/passkeys'
import { leavePages, showPage } from '../../page'
import { runs } from '../../runs'
import { ada, world } from '../../world'

const hostname = 'localhost'
const savedPassword = { id: ada.email, password: ada.password }
const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')

interface Ceremony {
  readonly kind: string
  readonly request: { readonly signal: AbortSignal } & Readonly<Record<string, unknown>>
  /** The user answers; `false` refuses. */
  readonly answer: (agrees: boolean) => void
}

/** A page whose browser has a passkey and a password of Ada, and whose user answers when told. */
async function page() {
  const inner = await world({ platform: { seed: { project: { config: { passkeyEnabled: true } }, users: [ada] } } })
  const device = inner.platform.authenticator()
  await inner.settled(inner.app.registerPasskey({ hostname, authenticator: device }))
  inner.requests.length = 0
  const asked: Ceremony[] = []
  let answers = 0
  const ask = async (asking: DeviceRequest): Promise<DeviceAnswer> => {
    if (!('options' in asking) || asking.kind === 'signal') return {}
    const { kind, options } = asking
    const agrees = await new Promise<boolean>(answer => asked.push({ kind, request: latest!, answer }))
    if (!agrees) return { refused: { name: 'NotAllowedError', message: 'no' } }
    answers++
    // The password at every other press.
    if (kind === 'saved' && answers % 2) return { answer: { type: 'password', ...savedPassword } }
    return { answer: await device.get(options, { origin: 'http://localhost' }) }
  }
  showPage({ location: { href: 'http://localhost/', origin: 'http://localhost' } })
  Object.assign(document, { querySelectorAll: () => [] })
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
  Object.assign(globalThis, { isSecureContext: true, ask })
  replaceCredentials('ask')
  Object.assign(globalThis.PublicKeyCredential, { parseRequestOptionsFromJSON: (json: unknown) => json })
  const open = () => asked.filter(({ request }) => !request.signal.aborted)
  let latest: Ceremony['request'] | undefined
  let overlaps = 0
  const { get } = navigator.credentials
  navigator.credentials.get = async request => {
    latest = request as unknown as Ceremony['request']
    if (open().length > 0) overlaps++
    try {
      return await get(request)
    } finally {
      const at = asked.findIndex(each => each.request === (request as unknown))
      if (at >= 0) asked.splice(at, 1)
    }
  }
  const turn = async () => {
    for (let round = 0; round < 5; round++) await inner.clock.advance(0)
  }
  const app = inner.newApp({ passkeys: { hostname }, navigate: 'none' })
  return { ...inner, app, open, turn, counts: () => ({ overlaps, answers }) }
}

afterEach(() => {
  leavePages()
  for (const name of ['PublicKeyCredential', 'isSecureContext', 'ask']) Reflect.deleteProperty(globalThis, name)
  if (before) Object.defineProperty(globalThis, 'navigator', before)
  else Reflect.deleteProperty(globalThis, 'navigator')
})

describe('the dialog of a browser', () => {
  // Promise: saved-sign-in
  it('offers passkeys and passwords, and is for a site and a challenge', async () => {
    const one = await page()
    const signingIn = one.app.signInWithSaved()
    await one.turn()
    expect(one.open()).toMatchObject([
      { kind: 'saved', request: { uiMode: 'immediate', password: true, publicKey: { rpId: hostname } } },
    ])
    one.open()[0]!.answer(true)
    await one.turn()
    expect(await signingIn).toMatchObject({ ok: true })
  })
})

const steps = ['press', 'button', 'abort', 'autofill', 'unmount', 'agree', 'refuse', 'turn', 'sign out'] as const

describe('presses, buttons and suggestions', () => {
  // Promise: saved-sign-in
  it('take turns in every order: none waits for ever, and none is answered twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps), { maxLength: 16 }),
        fc.boolean(),
        async (order, isDisposed) => {
          const one = await page()
          const { app, turn, open } = one
          const calls: Promise<unknown>[] = []
          const controllers: AbortController[] = []
          const mounted: Subscription[] = []
          const call = (run: (app: ClientApp, signal: AbortSignal) => Promise<unknown>) => {
            const controller = new AbortController()
            controllers.push(controller)
            calls.push(run(app, controller.signal).catch((error: unknown) => error))
          }
          const run: Readonly<Record<(typeof steps)[number], () => unknown>> = {
            press: () => call((app, signal) => app.signInWithSaved({ signal })),
            button: () => call((app, signal) => app.signInWithPasskey({}, { signal })),
            abort: () => controllers.pop()?.abort(),
            autofill: () => mounted.push(app.passkeyAutofill$().subscribe()),
            unmount: () => mounted.pop()?.unsubscribe(),
            agree: () => open().at(-1)?.answer(true),
            refuse: () => open().at(-1)?.answer(false),
            turn,
            'sign out': () => call(app => app.signOut()),
          }
          for (const step of order) {
            await run[step]()
            if (step === 'agree' || step === 'refuse') await turn()
          }
          if (isDisposed) app.dispose()
          // The user refuses every dialog that is left.
          for (let left = 20; left > 0; left--) {
            await turn()
            for (const each of open()) if (each.kind !== 'suggest') each.answer(false)
          }
          const settled = await Promise.all(calls.map(each => Promise.race([each, Promise.resolve('stuck')])))
          expect(settled).not.toContain('stuck')
          const { overlaps, answers } = one.counts()
          expect(overlaps).toBe(0)
          const sent = one.requests.filter(line => /sign-in$/.test(line)).length
          expect(sent).toBeLessThanOrEqual(answers)
          if (!isDisposed) {
            await one.clock.advance(60_000)
            await turn()
            const isOffered = mounted.length > 0 && app.auth$.value.status === 'signed-out'
            expect(open()).toHaveLength(isOffered ? 1 : 0)
          }
          app.dispose()
          await turn()
          expect(open()).toEqual([])
        },
      ),
      { numRuns: runs(20, 500) },
    )
  }, 600_000)
})
