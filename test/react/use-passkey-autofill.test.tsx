import { usePasskeyAutofill } from 'rxauth/react'
import { ada } from '../world'
import { reactWorld } from './harness'

const challenge = 'POST /auth/passkey/initiate-passkey-authentication'

function Field({ isOffered }: { readonly isOffered?: boolean }) {
  usePasskeyAutofill(isOffered)
  return <input />
}

/** A browser that suggests passkeys, and a project that has them. */
async function browser() {
  const signals: AbortSignal[] = []
  const get = ({ signal }: CredentialRequestOptions) => {
    signals.push(signal!)
    return new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error))
    })
  }
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true })
  Object.defineProperty(window, 'PublicKeyCredential', {
    value: Object.assign(() => undefined, { isConditionalMediationAvailable: () => Promise.resolve(true) }),
    configurable: true,
  })
  const seed = { project: { config: { passkeyEnabled: true } }, users: [ada] }
  const inner = await reactWorld({ platform: { seed } })
  inner.requests.length = 0
  return { ...inner, app: inner.newApp(), signals }
}

afterEach(() => {
  Reflect.deleteProperty(window, 'PublicKeyCredential')
  Reflect.deleteProperty(navigator, 'credentials')
})

describe('usePasskeyAutofill', () => {
  it('offers passkeys once while a component has it, also in strict mode', async () => {
    const { show, pass, app, requests, signals } = await browser()
    const { unmount } = show(<Field />, { app, strict: true })
    await pass(0)
    expect(requests.filter(each => each === challenge)).toHaveLength(1)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    unmount()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('offers none until it is told that there are some', async () => {
    const { show, pass, app, requests, signals } = await browser()
    show(<Field isOffered={false} />, { app })
    await pass(1000)
    expect(requests).not.toContain(challenge)
    show(<Field isOffered />, { app })
    await pass(0)
    expect(signals).toHaveLength(1)
  })
})
