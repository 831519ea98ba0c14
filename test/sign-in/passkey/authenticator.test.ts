import { browserPasskeys } from '../../../src/sign-in/passkey/authenticator'
import { leavePages, showPage } from '../../page'
import { device } from './autofill-world'
import { ada } from '../../world'

describe('the options that a browser gets', () => {
  const tampered = async (change: (options: Record<string, unknown>) => unknown) => {
    const { platform, newApp, input, settled } = await device()
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await platform.options.fetch(...request)
      const body = (await response.json()) as { options_json?: Record<string, unknown> }
      if (body.options_json) change(body.options_json)
      return Response.json(body, { headers: response.headers })
    }
    const app = newApp({ fetch, tokens: await settled(platform.tokensFor(ada.email)) })
    return { app, input, settled }
  }

  it('name this site and no other', async () => {
    const { app, input, settled } = await tampered(options => (options['rpId'] = 'evil.example'))
    await expect(settled(app.signInWithPasskey(input))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  it.each([
    ['', 'not 0'],
    ['A'.repeat(87), 'not 65'],
  ])('have a user id of 1 to 64 bytes', async (id, text) => {
    const { app, input, settled } = await tampered(options => (options['user'] = { id, name: 'n', displayName: 'n' }))
    await expect(settled(app.registerPasskey(input))).rejects.toThrow(text)
  })

  it.each([
    [1, 'AA'],
    [64, 'A'.repeat(86)],
  ])('may have one of %i bytes', async (_, id) => {
    const { app, input, settled } = await tampered(options => (options['user'] = { id, name: 'n', displayName: 'n' }))
    expect(await settled(app.registerPasskey(input))).toMatchObject({ ok: true })
  })
})

describe('suggestions of passkeys', () => {
  afterEach(() => {
    leavePages()
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  })

  it.each([true, false])('are offered if the frame may use passkeys: %s', async isAllowed => {
    showPage({ location: {} })
    const isConditionalMediationAvailable = () => Promise.resolve(true)
    Object.assign(globalThis, { PublicKeyCredential: Object.assign(() => {}, { isConditionalMediationAvailable }) })
    Object.assign(document, { featurePolicy: { allowsFeature: () => isAllowed } })
    expect(await browserPasskeys.supportsAutofill?.()).toBe(isAllowed)
  })
})

describe('a ceremony of the browser that never answers', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  let began: (signal: AbortSignal) => void

  beforeEach(() => {
    showPage({ location: {} })
    const get = ({ signal }: { signal: AbortSignal }) => new Promise(() => began(signal))
    const value = { credentials: { get }, onLine: true }
    Object.defineProperty(globalThis, 'navigator', { value, configurable: true })
    Object.assign(globalThis, { PublicKeyCredential: () => undefined })
  })
  afterEach(() => {
    leavePages()
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    if (before) Object.defineProperty(globalThis, 'navigator', before)
    else Reflect.deleteProperty(globalThis, 'navigator')
  })

  /** Resolves to the signal that the browser gets, and to how the ceremony ends. */
  const ceremony = (controller: AbortController) =>
    new Promise<{ readonly signal: AbortSignal; readonly end: Promise<unknown> }>(resolve => {
      began = signal => resolve({ signal, end })
      const site = { origin: 'https://app.example.com', signal: controller.signal }
      const end = browserPasskeys
        .get({ challenge: 'AAAA', rpId: 'app.example.com' }, site)
        .catch((error: unknown) => error)
    })
  const begin = async (controller: AbortController) => (await ceremony(controller)).signal

  it('is cancelled in the browser too', async () => {
    const one = new AbortController()
    const signal = await begin(one)
    one.abort()
    expect(signal.aborted).toBe(true)
  })

  // Promise: hanging-browser
  it('ends when another one replaces it, as in a browser: a button is pressed again', async () => {
    const one = await ceremony(new AbortController())
    const other = await ceremony(new AbortController())
    await expect(one.end).resolves.toMatchObject({ name: 'AbortError' })
    await ceremony(new AbortController())
    await expect(other.end).resolves.toMatchObject({ name: 'AbortError' })
  })

  // Promise: hanging-browser
  it('does not cancel the one that has replaced it', async () => {
    const [one, other] = [new AbortController(), new AbortController()]
    await begin(one)
    const signal = await begin(other)
    one.abort()
    expect(signal.aborted).toBe(false)
  })
})
