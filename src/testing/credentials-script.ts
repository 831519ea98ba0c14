import type { PasskeySignal } from 'rxauth'

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
