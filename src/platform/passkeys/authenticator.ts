import * as v from 'valibot'
import { fromBase64Url, toBase64Url } from '../../core/encoding'
import type { PasskeySignal, SavedPassword } from '../../sign-in/passkey/authenticator'

/** The options of a server; fields that this simple device does not use are left out. */
const Creation = v.object({
  rp: v.object({ id: v.string() }),
  user: v.object({ id: v.string(), name: v.optional(v.string(), ''), displayName: v.optional(v.string(), '') }),
  challenge: v.string(),
  excludeCredentials: v.optional(v.array(v.object({ id: v.string() })), []),
  authenticatorSelection: v.optional(v.object({ userVerification: v.optional(v.string()) }), {}),
})
const Request = v.object({
  rpId: v.string(),
  challenge: v.string(),
  allowCredentials: v.optional(v.array(v.object({ id: v.string() })), []),
  userVerification: v.optional(v.string()),
})

/** A passkey as the picker of a device shows it. */
export interface ListedPasskey {
  /** The credential's id, in base64url. */
  readonly id: string
  readonly rpId: string
  /** The user handle: the bytes of the user's id, in base64url. */
  readonly userId: string
  /** The account: an address, or a name. */
  readonly name: string
  readonly displayName: string
}

interface Credential extends ListedPasskey {
  readonly privateKey: CryptoKey
}

const userPresent = 0x01
const userVerified = 0x04
const hasCredential = 0x40

/** The device of a software passkey. */
export interface AuthenticatorOptions {
  /**
   * Whether it can verify its user, as by a fingerprint or a PIN. A security key without a PIN cannot: it proves a touch, and
   * refuses sites that require more. Default true.
   */
  readonly verifiesUser?: boolean
  /** The password that the device has saved for its sites, which `getSaved` answers where no passkey fits. */
  readonly savedPassword?: Pick<SavedPassword, 'id' | 'password'> | undefined
}

/** The page of the ceremony. */
export interface Ceremony {
  readonly origin: string
}

/**
 * A software passkey: it takes and returns standard WebAuthn JSON, signs with ES256 and needs no confirmation. It refuses
 * what a browser refuses, with an error of the same name.
 *
 * @example
 * const authenticator: SoftwareAuthenticator = platform.authenticator()
 * await app.registerPasskey({ authenticator, hostname: 'app.example.com' })
 */
export class SoftwareAuthenticator {
  #credentials: readonly Credential[] = []
  readonly #begin: () => { end(): void } | undefined
  readonly #options: AuthenticatorOptions
  #signatures = 0

  /** Calls `begin` for every ceremony, since a virtual clock does not see the work of WebCrypto. */
  constructor(begin: () => { end(): void } | undefined = () => undefined, options: AuthenticatorOptions = {}) {
    this.#begin = begin
    this.#options = options
  }

  /** Creates a credential and returns the registration response as JSON. */
  create(optionsJson: unknown, { origin }: Ceremony) {
    return this.#tracked(() => this.#create(optionsJson, origin))
  }

  /** Signs with the newest matching credential and returns the authentication response as JSON. */
  get(optionsJson: unknown, { origin }: Ceremony) {
    return this.#tracked(() => this.#get(optionsJson, origin))
  }

  async #tracked<T>(ceremony: () => Promise<T>): Promise<T> {
    const work = this.#begin()
    try {
      return await ceremony()
    } finally {
      work?.end()
    }
  }

  /** As `get`, with the saved password where no passkey fits. */
  async getSaved(optionsJson: unknown, ceremony: Ceremony): Promise<object> {
    const { savedPassword } = this.#options
    try {
      return await this.get(optionsJson, ceremony)
    } catch (error) {
      if (!savedPassword || !(error instanceof DOMException && error.name === 'NotAllowedError')) throw error
      return { type: 'password', ...savedPassword } satisfies SavedPassword
    }
  }

  /** The passkeys that the device offers, the oldest first. */
  list(): readonly ListedPasskey[] {
    return this.#credentials.map(({ privateKey, ...listed }) => listed)
  }

  /** Takes over what a site says of a user's passkeys: those that can still sign in, or the present names. */
  signal(signal: PasskeySignal): void {
    const isMeant = ({ rpId, userId }: Credential) => rpId === signal.rpId && userId === signal.userId
    this.#credentials = this.#credentials.flatMap(each => {
      if (!isMeant(each)) return each
      if (signal.kind === 'accepted') return signal.allAcceptedCredentialIds.includes(each.id) ? each : []
      return { ...each, name: signal.name, displayName: signal.displayName }
    })
  }

  async #create(optionsJson: unknown, origin: string) {
    const { rp, user, challenge, excludeCredentials, authenticatorSelection } = v.parse(Creation, optionsJson)
    requireRelyingParty(rp.id, origin)
    this.#requireVerification(authenticatorSelection.userVerification)
    const userId = fromBase64Url(user.id)
    if (userId.length < 1 || userId.length > 64) throw new TypeError('user.id must be 1 to 64 bytes long')
    if (this.#credentials.some(({ id }) => excludeCredentials.some(each => each.id === id)))
      throw new DOMException('This device has a passkey of the account already.', 'InvalidStateError')
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
    const id = crypto.getRandomValues(new Uint8Array(16))
    const { name, displayName } = user
    const made = { id: toBase64Url(id), rpId: rp.id, userId: user.id, name, displayName, privateKey: keys.privateKey }
    // As authenticators do: one passkey of a user and a site.
    const isFormer = (each: Credential) => each.rpId === made.rpId && each.userId === made.userId
    this.#credentials = [...this.#credentials.filter(each => !isFormer(each)), made]
    const length = Uint8Array.of(0, id.length)
    const credential = concat(new Uint8Array(16), length, id, await coseKey(keys.publicKey))
    const authData = concat(await this.#authenticatorData(rp.id, hasCredential), credential)
    return this.#response(made.id, {
      clientDataJSON: clientData('webauthn.create', challenge, origin),
      attestationObject: toBase64Url(concat(attestationHead, Uint8Array.of(authData.length), authData)),
      transports: ['internal'],
    })
  }

  async #get(optionsJson: unknown, origin: string) {
    const { rpId, challenge, allowCredentials, userVerification } = v.parse(Request, optionsJson)
    requireRelyingParty(rpId, origin)
    this.#requireVerification(userVerification)
    const isAllowed = ({ id }: Credential) =>
      allowCredentials.length === 0 || allowCredentials.some(each => each.id === id)
    const credential = this.#credentials.filter(each => each.rpId === rpId && isAllowed(each)).at(-1)
    if (!credential) throw new DOMException('This device has no passkey for this site.', 'NotAllowedError')
    const data = clientData('webauthn.get', challenge, origin)
    const authData = await this.#authenticatorData(rpId, 0)
    const signed = concat(authData, await sha256(fromBase64Url(data)))
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, credential.privateKey, signed))
    return this.#response(credential.id, {
      clientDataJSON: data,
      authenticatorData: toBase64Url(authData),
      signature: toBase64Url(toDer(signature)),
      userHandle: credential.userId,
    })
  }

  #response<R extends object>(id: string, response: R) {
    return {
      id,
      rawId: id,
      response,
      type: 'public-key' as const,
      clientExtensionResults: {},
      authenticatorAttachment: 'platform' as const,
    }
  }

  get #verifiesUser(): boolean {
    return this.#options.verifiesUser ?? true
  }

  #requireVerification(userVerification: string | undefined): void {
    if (userVerification === 'required' && !this.#verifiesUser)
      throw new DOMException('This device cannot verify its user.', 'NotAllowedError')
  }

  async #authenticatorData(rpId: string, more: number): Promise<Uint8Array<ArrayBuffer>> {
    const flags = userPresent | (this.#verifiesUser ? userVerified : 0) | more
    const counter = new DataView(new ArrayBuffer(4))
    counter.setUint32(0, ++this.#signatures)
    const host = await sha256(new TextEncoder().encode(rpId))
    return concat(host, Uint8Array.of(flags), new Uint8Array(counter.buffer))
  }
}

/** The id must be the site's host or a domain above it, and the site must be secure. */
function requireRelyingParty(rpId: string, origin: string): void {
  const { hostname, protocol } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if ((hostname === rpId || hostname.endsWith(`.${rpId}`)) && (protocol === 'https:' || isLocal)) return
  throw new DOMException(`The relying party "${rpId}" is not ${origin}.`, 'SecurityError')
}

function clientData(type: string, challenge: string, origin: string): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
}

/** The CBOR of `{ fmt: 'none', attStmt: {}, authData }`, up to the length of the last, which takes one byte. */
const attestationHead = latin1('\xa3cfmtdnonegattStmt\xa0hauthDataX')

/** The CBOR of a COSE key of the kind elliptic curve (2), for ES256 (-7), on P-256 (1): a map whose last two values have 32 bytes. */
async function coseKey(publicKey: CryptoKey): Promise<Uint8Array> {
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', publicKey)
  return concat(latin1('\xa5\x01\x02\x03\x26\x20\x01\x21X '), fromBase64Url(x), latin1('\x22X '), fromBase64Url(y))
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

/** Converts WebCrypto's r and s into the two ASN.1 integers of WebAuthn. */
function toDer(signature: Uint8Array): Uint8Array {
  const integers = [signature.slice(0, 32), signature.slice(32)].map(bytes => {
    const start = bytes.findIndex(byte => byte !== 0)
    const digits = bytes.slice(start)
    // A leading bit of 1 would be read as a minus sign.
    const padding = new Uint8Array((digits[0] ?? 0) >> 7)
    return concat(Uint8Array.of(2, padding.length + digits.length), padding, digits)
  })
  const body = concat(...integers)
  return concat(Uint8Array.of(0x30, body.length), body)
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
