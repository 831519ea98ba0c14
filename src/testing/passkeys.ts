import type { BrowserContext } from '@playwright/test'
import type { PasskeySignal } from 'rxauth'
import type { AuthenticatorOptions, ListedPasskey, Platform, SoftwareAuthenticator } from 'rxauth/platform'

/** The device with the passkeys of a test's browsers, and its user. The fields apply to the next request of a page. */
export interface TestPasskeys {
  /** The passkeys that the browser offers, the oldest first. */
  list(): readonly ListedPasskey[]
  /** The signals of all pages, in order. */
  readonly signals: readonly PasskeySignal[]
  /** The user's answer to a dialog: `refuses` is `NotAllowedError`, and `waits` never answers. At first `agrees`. */
  user: 'agrees' | 'refuses' | 'waits'
  /** The account that the user picks, by its name or address; undefined: the newest. */
  account: string | undefined
  /** Whether the device can verify its user, as by a PIN. At first true. */
  verifiesUser: boolean
  /** The password that the device has saved for its sites. */
  savedPassword: AuthenticatorOptions['savedPassword']
  /** Picks this account among the suggestions of a form; waits until a page has taken it. */
  choose(account?: string): Promise<void>
  /** Deletes the passkey of this account from the device. */
  remove(account: string): void
}

/** The name of the function in pages. */
const bound = 'rxauthTestPasskeys'

export class Passkeys implements TestPasskeys {
  readonly signals: PasskeySignal[] = []
  user: TestPasskeys['user'] = 'agrees'
  account: string | undefined
  verifiesUser = true
  savedPassword: TestPasskeys['savedPassword']
  readonly #device: SoftwareAuthenticator
  /** The suggestions of pages that wait for a choice. */
  readonly #suggested: (() => void)[] = []
  #taken: (() => void) | undefined

  constructor(platform: Pick<Platform, 'authenticator'>) {
    // The device reads both of its options at each request.
    this.#device = platform.authenticator(this)
  }

  /** Puts the device behind the pages of the context. */
  async join(context: BrowserContext): Promise<void> {
    await context.exposeBinding(bound, ({ frame }, request: DeviceRequest) =>
      this.answer(new URL(frame.url()).origin, request),
    )
    await context.addInitScript(replaceCredentials, bound)
  }

  list(): readonly ListedPasskey[] {
    return this.#device.list()
  }

  async choose(account?: string): Promise<void> {
    this.account = account
    if (this.list().length === 0) throw new Error('the browser has no passkey to suggest')
    this.#picked()
    await new Promise<void>(resolve => {
      this.#taken = resolve
      for (const go of this.#suggested.splice(0)) go()
    })
  }

  remove(account: string): void {
    for (const { rpId, userId } of this.#of(account))
      this.#device.signal({ kind: 'accepted', rpId, userId, allAcceptedCredentialIds: [] })
  }

  /** The answer to a page of this origin. */
  async answer(origin: string, request: DeviceRequest): Promise<DeviceAnswer> {
    const { kind } = request
    if (kind === 'signal') {
      this.signals.push(request.options)
      this.#device.signal(request.options)
      return {}
    }
    if (kind === 'taken') {
      this.#taken?.()
      this.#taken = undefined
      return {}
    }
    // A page whose suggestions are gone never takes the answer.
    if (kind === 'suggest' && !this.#taken) await new Promise<void>(resolve => this.#suggested.push(resolve))
    if (kind !== 'suggest' && this.user === 'waits') await new Promise(() => undefined)
    try {
      if (this.user === 'refuses') throw new DOMException('The user has refused.', 'NotAllowedError')
      if (kind === 'create') return { answer: await this.#device.create(request.options, { origin }) }
      const options = { ...request.options, ...this.#picked() }
      return { answer: await this.#device[kind === 'saved' ? 'getSaved' : 'get'](options, { origin }) }
    } catch (error) {
      // The device rejects with nothing else.
      const { name, message } = error as Error
      return { refused: { name, message } }
    }
  }

  /** The passkeys that the user may pick; those that a site allows are left to the device if the user picks none. */
  #picked(): { readonly allowCredentials?: readonly ListedPasskey[] } {
    return this.account === undefined ? {} : { allowCredentials: this.#of(this.account) }
  }

  #of(account: string): readonly ListedPasskey[] {
    const found = this.list().filter(({ name, displayName }) => name === account || displayName === account)
    if (found.length > 0) return found
    const offered = this.list().map(({ name }) => name)
    throw new Error(`the browser has no passkey of "${account}", only of ${offered.join(', ') || 'no account'}`)
  }
}

/** A request of a page to the device of its test, by the function that the test has put into the page. */
export type DeviceRequest =
  | { readonly kind: 'create' | 'get' | 'saved' | 'suggest'; readonly options: object }
  | { readonly kind: 'signal'; readonly options: PasskeySignal }
  | { readonly kind: 'taken' }

/** `refused`: the error that the browser's function rejects with. */
export interface DeviceAnswer {
  readonly answer?: object
  readonly refused?: { readonly name: string; readonly message: string }
}

/** The standard JSON of a credential, or a saved password. */
interface CredentialJson {
  readonly type: string
  readonly rawId: string
  readonly response: Readonly<Record<string, unknown>>
  readonly clientExtensionResults: object
}

interface Request {
  readonly publicKey?: object
  readonly mediation?: string
  readonly uiMode?: string
  readonly signal?: AbortSignal
}

/**
 * Puts a function of this name behind `navigator.credentials` and the functions for passkeys of a page. It runs in the page before
 * all scripts, in any browser, so that it has no names of this module.
 */
export function replaceCredentials<Name extends string>(name: Name): void {
  // As in browsers, pages that are not secure have no passkeys.
  if (!isSecureContext) return
  const ask = (request: DeviceRequest) =>
    (globalThis as unknown as Record<Name, (request: DeviceRequest) => Promise<DeviceAnswer>>)[name](request)
  const toText = (bytes: Uint8Array) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const toBytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0)).buffer
  const plain = (_: string, value: unknown) => {
    if (value instanceof ArrayBuffer) return toText(new Uint8Array(value))
    return ArrayBuffer.isView(value) ? toText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) : value
  }
  const native = globalThis as unknown as { PublicKeyCredential: { prototype: object } }
  native.PublicKeyCredential ??= function PublicKeyCredential() {} as unknown as { prototype: object }

  const credential = (json: CredentialJson) => {
    if (json.type !== 'public-key') return json
    const { transports, ...texts } = json.response
    const response = {
      ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, toBytes(text as string)])),
      getTransports: () => transports,
    }
    const fields = { ...json, rawId: toBytes(json.rawId), response }
    const methods = { getClientExtensionResults: () => json.clientExtensionResults, toJSON: () => json }
    // The fields of the prototype cannot be assigned.
    return Object.create(
      native.PublicKeyCredential.prototype,
      Object.getOwnPropertyDescriptors({ ...fields, ...methods }),
    ) as object
  }

  const ceremony = async (kind: 'create' | 'get' | 'saved' | 'suggest', { publicKey, signal }: Request) => {
    signal?.throwIfAborted()
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
    const options = JSON.parse(JSON.stringify(publicKey, plain)) as object
    const { answer, refused } = await Promise.race([ask({ kind, options }), aborted])
    if (refused) throw new DOMException(refused.message, refused.name)
    if (kind === 'suggest') void ask({ kind: 'taken' })
    return credential(answer as CredentialJson)
  }

  const credentials = {
    create: (request: Request) => ceremony('create', request),
    get: (request: Request) => {
      const kind = request.uiMode === 'immediate' ? 'saved' : 'get'
      return ceremony(request.mediation === 'conditional' ? 'suggest' : kind, request)
    },
  }
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true })
  const yes = () => Promise.resolve(true)
  Object.assign(native.PublicKeyCredential, {
    isConditionalMediationAvailable: yes,
    isUserVerifyingPlatformAuthenticatorAvailable: yes,
    getClientCapabilities: () => Promise.resolve({ conditionalGet: true, immediateGet: true }),
    signalAllAcceptedCredentials: (signal: object) =>
      ask({ kind: 'signal', options: { kind: 'accepted', ...signal } as PasskeySignal }),
    signalCurrentUserDetails: (signal: object) =>
      ask({ kind: 'signal', options: { kind: 'details', ...signal } as PasskeySignal }),
  })
}
