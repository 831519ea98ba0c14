import { jsonText } from '../../core/values'
import { toBase64Url } from '../../core/encoding'
import { misuse, developerError } from '../../errors/auth-error'
import type { Host } from '../../core/host'
import { encodeCookie, readCookies } from '../../session/stores/cookie-format'
import { guardedCookies } from '../../session/guarded-store'
import { coreOf, type Kit } from '../../store/kit-parts'
import { parseNote } from '../../store/tabs/tab-notes'

/** The form of a verifier and a state, both made by `randomBase64Url`. */
export const secretPattern = /^[\w-]{43}$/

/** Throws INVALID_INPUT if no challenge can be made: neither insecure pages nor React Native have SHA-256. */
export function assertHashes(): void {
  if (!globalThis.crypto?.subtle)
    throw misuse('crypto.subtle', 'is missing: OAuth needs https, localhost or a polyfill')
}

/** The challenge of a verifier (S256): the base64url of its SHA-256. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

/** The tab's note of the state of its last OAuth flow. Errors return without the state. */
export const lastFlow = { of: 'oauth' }

/** A parameter of a popup's return URL: the state of its flow, without which a refusal may return. */
export const flowParameter = 'rxauth_flow'

/**
 * Whether a flow runs in a popup. With 'only', the popup never signs in by itself. Versions of the kit that do not know the
 * word ignore such a cookie.
 */
export type PopupUse = boolean | 'only'

/** An OAuth flow of this browser, from its start until its return. */
export interface PendingOAuth {
  readonly verifier: string
  /** Byte for byte as sent; the exchange has to repeat it. */
  readonly redirectUri: string
  readonly returnTo: string | null
  /** The user who links an account; null: a sign-in. */
  readonly linkUserId: string | null
  /** Started for a page that waits for a popup; 'only' ends nowhere else. */
  readonly isPopup: PopupUse
  /** The provider of a sign-in; undefined for a linked account, and in cookies of earlier versions. */
  readonly provider?: string | undefined
}

/** After an hour at the provider, the flow has to start again. */
const maxAgeSeconds = 3600

/** Every request carries the cookies, and servers refuse long headers. */
const maxPending = 5

/** Browsers drop cookies above 4096 bytes, name and attributes included. */
const maxValueBytes = 3600

const prefix = 'stack-oauth-outer-'

/** The browser's cookies, or INVALID_INPUT if there are none. */
export function cookiesOf(kit: Kit<never>): NonNullable<Host['cookies']> {
  const { cookies } = coreOf(kit).host
  if (cookies) return guardedCookies(cookies)
  throw misuse('host.cookies', 'is missing: OAuth needs a browser, or a host that keeps cookies for it')
}

/** Whether the cookie is short enough for browsers. */
export function fitsCookie(pending: PendingOAuth): boolean {
  return serialise(pending, 0).length <= maxValueBytes
}

/** Stores the flow for an hour; TOKENS_UNAVAILABLE if the browser refuses. */
export function keepPending(kit: Kit<never>, state: string, pending: PendingOAuth): void {
  const { clock } = coreOf(kit)
  const cookies = cookiesOf(kit)
  const others = [...readCookies(cookies.get())].flatMap(([name, value]) => {
    const at = name.startsWith(prefix) ? parse(value)?.at : undefined
    return at === undefined ? [] : [{ name, at }]
  })
  // Each flow that is given up leaves a cookie behind.
  const oldest = others.sort((a, b) => b.at - a.at).slice(maxPending - 1)
  for (const { name } of oldest) write(kit, name, '', 0)
  write(kit, prefix + state, serialise(pending, clock.now()), maxAgeSeconds)
  if (!readCookies(cookies.get()).has(prefix + state))
    throw developerError('TOKENS_UNAVAILABLE', 'this browser keeps no cookies for the page; OAuth needs them to return')
}

/** The flow of this state, which is removed; undefined if this browser has not begun it within the hour. */
export function takePending(kit: Kit<never>, state: string): PendingOAuth | undefined {
  if (!secretPattern.test(state)) return undefined
  const value = readCookies(cookiesOf(kit).get()).get(prefix + state)
  const kept = value === undefined ? undefined : parse(value)
  // Another format may be a flow of the vendor's kit, which still needs it.
  if (!kept) return undefined
  forgetPending(kit, state)
  // A host of the app may keep cookies beyond their age.
  return coreOf(kit).clock.now() - kept.at < maxAgeSeconds * 1000 ? kept : undefined
}

/** Any later return of this flow is ignored. */
export function forgetPending(kit: Kit<never>, state: string): void {
  write(kit, prefix + state, '', 0)
}

function write(kit: Kit<never>, name: string, value: string, maxAge: number): void {
  const secure = coreOf(kit).navigation.href()?.startsWith('https:') ? '; Secure' : ''
  cookiesOf(kit).set(`${name}=${value}; path=/; max-age=${maxAge}; SameSite=Lax${secure}`)
}

function serialise(
  { verifier, redirectUri, returnTo, linkUserId, isPopup, provider }: PendingOAuth,
  at: number,
): string {
  return encodeCookie(jsonText([verifier, at, redirectUri, returnTo, linkUserId, isPopup, provider]))
}

/** Any page of the domain can write cookies: only those of the right shape count. */
function parse(text: string): (PendingOAuth & { readonly at: number }) | undefined {
  const read = parseNote(text)
  if (!Array.isArray(read)) return undefined
  const [verifier, at, redirectUri, returnTo, linkUserId, isPopup, provider] = read as unknown[]
  if (typeof verifier !== 'string' || !secretPattern.test(verifier)) return undefined
  if (typeof at !== 'number' || typeof redirectUri !== 'string' || !isPopupUse(isPopup)) return undefined
  if (!isTextOrNull(returnTo) || !isTextOrNull(linkUserId)) return undefined
  return {
    verifier,
    at,
    redirectUri,
    returnTo,
    linkUserId,
    isPopup,
    provider: typeof provider === 'string' ? provider : undefined,
  }
}

function isPopupUse(value: unknown): value is PopupUse {
  return typeof value === 'boolean' || value === 'only'
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}
