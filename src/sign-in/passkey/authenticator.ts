import * as v from 'valibot'
import { json } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { codeErrors } from '../../entities/mailed-code'
import { NewSignInAnswer } from '../answers'
import { throwIfAborted, onAbort } from '../../core/signals'
import type { Signal } from '../../core/web-types'
import { isRecord } from '../../core/values'
import { mayUsePasskeys } from '../../core/in-app-browser'
import { AuthError, invalidResponse, misuse, type AuthErrorOf } from '../../errors/auth-error'
import { setting } from '../../errors/setting'

/** A challenge, and the code for its answer. The options are standard WebAuthn JSON. */
const Ceremony = v.object({ optionsJson: json<Readonly<Record<string, unknown>>>(), code: v.string() })

/** The placeholder in the options for the relying party, which only the page knows. */
export const relyingPartySentinel = 'THIS_VALUE_WILL_BE_REPLACED.example.com'

export const startPasskeyRegistration = endpoint('POST /auth/passkey/initiate-passkey-registration', {
  access: 'client',
  returns: Ceremony,
})

/** Replaces the user's passkey, if there is one. */
export const registerPasskeyCredential = endpoint('POST /auth/passkey/register', {
  access: 'client',
  body: { credential: json<object>(), code: v.string() },
  returns: v.object({ userHandle: v.string() }),
  fails: [...codeErrors, 'PASSKEY_REGISTRATION_FAILED', 'PASSKEY_AUTHENTICATION_FAILED'],
})

export const startPasskeySignIn = endpoint('POST /auth/passkey/initiate-passkey-authentication', {
  access: 'client',
  returns: Ceremony,
  ownedBy: 'app',
})

export const passkeySignIn = endpoint('POST /auth/passkey/sign-in', {
  access: 'client',
  body: { authenticationResponse: json<object>(), code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'PASSKEY_AUTHENTICATION_FAILED', 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
  ownedBy: 'app',
})

/** The page of a ceremony. */
export interface PasskeyCeremony {
  readonly origin: string
  /** Aborts the ceremony. */
  readonly signal: Signal
  /** Conditional UI: offered among the suggestions of a form field instead of in a dialog. */
  readonly autofill?: boolean
}

/**
 * Creates and uses passkeys: the browser, or the local platform's `authenticator()`. Accepts and returns WebAuthn JSON.
 *
 * @example
 * const authenticator: PasskeyAuthenticator = platform.authenticator()
 * await app.registerPasskey({ authenticator, hostname: 'app.example.com' })
 */
export interface PasskeyAuthenticator {
  create(optionsJson: unknown, ceremony: PasskeyCeremony): Promise<object>
  get(optionsJson: unknown, ceremony: PasskeyCeremony): Promise<object>
  /** Absent: it supports autofill. */
  supportsAutofill?(): Promise<boolean>
  /** Offers saved passkeys and passwords in one dialog, or rejects at once with `NotAllowedError`. Absent: it cannot. */
  getSaved?(optionsJson: unknown, ceremony: PasskeyCeremony): Promise<object | SavedPassword | null>
  /** Absent: if it has `getSaved`. */
  supportsSaved?(): Promise<boolean>
  /** Takes over the platform's state of a user. Absent: it cannot; what it throws is ignored. */
  readonly signal?: ((signal: PasskeySignal) => unknown) | undefined
}

/** A password of the browser, in the form of its `PasswordCredential`. */
export interface SavedPassword {
  readonly type: 'password'
  /** The name that it was saved with: the e-mail address. */
  readonly id: string
  readonly password: string
}

/** The site of a signal, and the user handle of its passkeys: the bytes of the user's id, in base64url. */
interface SignalOf {
  readonly rpId: string
  readonly userId: string
}

/**
 * A message to the browser about a user's passkeys, in the form of WebAuthn: `accepted` are all that can still sign in, `details` the
 * present address and name.
 */
export type PasskeySignal =
  | (SignalOf & { readonly kind: 'accepted'; readonly allAcceptedCredentialIds: readonly string[] })
  | (SignalOf & { readonly kind: 'details'; readonly name: string; readonly displayName: string })

/** The authenticator and the site of a passkey. */
export interface PasskeyInput {
  /** The relying party: the site's host name, or a parent domain. Default: the page's host. */
  readonly hostname?: string
  /** Default: the browser. */
  readonly authenticator?: PasskeyAuthenticator
}

/** Loaded only by apps that use passkeys. */
export const load = () => import('@simplewebauthn/browser')

export const browserPasskeys: PasskeyAuthenticator = {
  async create(optionsJson, { signal }) {
    const { startRegistration, WebAuthnAbortService } = await load()
    type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
    return abortable(signal, WebAuthnAbortService, () =>
      // Standard JSON, checked in the parts that are read here.
      startRegistration({ optionsJSON: optionsJson as CreationOptions }),
    )
  },
  async get(optionsJson, { signal, autofill = false }) {
    const { startAuthentication, WebAuthnAbortService } = await load()
    type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']
    return abortable(signal, WebAuthnAbortService, () =>
      startAuthentication({
        optionsJSON: optionsJson as RequestOptions,
        useBrowserAutofill: autofill,
        // The form may appear later than the subscriber.
        verifyBrowserAutofillInput: false,
      }),
    )
  },
  async supportsAutofill() {
    return mayUsePasskeys() && (await load()).browserSupportsWebAuthnAutofill()
  },
  get signal() {
    const { PublicKeyCredential: browser } = globalThis as { readonly PublicKeyCredential?: Signalling }
    if (!browser?.signalAllAcceptedCredentials || !browser.signalCurrentUserDetails) return undefined
    return ({ kind, ...signal }: PasskeySignal) =>
      kind === 'accepted' ? browser.signalAllAcceptedCredentials?.(signal) : browser.signalCurrentUserDetails?.(signal)
  },
}

/** The browser's functions for signals: Chrome from 132 on, Safari from 26 on. */
interface Signalling {
  signalAllAcceptedCredentials?(signal: object): unknown
  signalCurrentUserDetails?(signal: object): unknown
}

/** Ends the page's latest ceremony: the service has one at a time, of whichever kit it is. */
const latest = /* @__PURE__ */ new WeakMap<object, () => void>()

export async function abortable<T>(
  signal: AbortSignal,
  service: { cancelCeremony(): void },
  start: () => Promise<T>,
): Promise<T> {
  throwIfAborted(signal)
  // A browser rejects the one before; a password manager in its place may leave it without an answer.
  latest.get(service)?.()
  let end = () => {}
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      reject(new DOMException('another ceremony has begun', 'AbortError'))
    }
  })
  latest.set(service, end)
  const forget = onAbort(signal, () => {
    if (latest.get(service) === end) service.cancelCeremony()
  })
  try {
    return await Promise.race([start(), ended])
  } finally {
    forget()
  }
}

/** WebAuthn: a user id has 1 to 64 bytes. */
const maxUserIdBytes = 64

/**
 * The options for this site: the platform does not know it, and sends a placeholder. Any other value would be another site.
 */
export function optionsFor(
  hostname: string,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { rp, user } = options
  if (isRecord(user)) {
    const id = typeof user['id'] === 'string' ? user['id'] : ''
    const bytes = Math.floor((id.replaceAll('=', '').length * 3) / 4)
    if (bytes < 1 || bytes > maxUserIdBytes)
      throw invalidResponse('user.id', `a passkey's user id must have 1 to ${maxUserIdBytes} bytes, not ${bytes}`)
  }
  const sent = isRecord(rp) ? rp['id'] : options['rpId']
  if (sent !== relyingPartySentinel)
    throw invalidResponse(
      'rp.id',
      `the platform requested a passkey of "${String(sent)}" instead of leaving the site to the page`,
    )
  return isRecord(rp) ? { ...options, rp: { ...rp, id: hostname } } : { ...options, rpId: hostname }
}

/** The site of a ceremony. */
export interface Site {
  readonly hostname: string
  readonly origin: string
}

/** The site that the input names, else that of the page. */
export function siteOf({ hostname }: PasskeyInput, page: string | undefined): Site {
  const url = page === undefined ? undefined : new URL(page)
  const host = setting('hostname', hostname ?? '') || url?.hostname
  if (!host) throw misuse('hostname', 'is needed outside a browser: the site that the passkey belongs to')
  const scheme = host === 'localhost' || host.endsWith('.localhost') ? 'http' : 'https'
  return { hostname: host, origin: url?.origin ?? `${scheme}://${host}` }
}

/** The error of a browser or an authenticator in a ceremony: mostly that the user cancelled it. */
export function ceremonyError(error: unknown): AuthErrorOf<'PASSKEY_WEBAUTHN_ERROR'> {
  // Not by class: a page may have errors of several windows.
  const { name, message } = (isRecord(error) ? error : {}) as { readonly name?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : String(error)
  return new AuthError('PASSKEY_WEBAUTHN_ERROR', `the passkey was not used: ${text}`, {
    details: { message: text, code: typeof name === 'string' ? name : 'Error' },
    cause: error,
  })
}
