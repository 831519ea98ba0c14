import Cookies from 'js-cookie'
import { jsonText, parseJson, wellFormed } from '../../core/values'
import type { Tokens } from '../../transport/access-token'

// Names and JSON are shared with the vendor's kit. Of js-cookie only the converters are used, which encode values as that kit
// does: its `get` and `set` act on `document.cookie`, while cookies here are the header of a request, or `host.cookies`, which a
// kit is given. In a page they would save 90 bytes.

/** A year. */
const refreshMaxAgeSeconds = 31_536_000
const accessMaxAgeSeconds = 86_400
/** Browsers silently drop longer cookies. */
const maxCookieBytes = 4096
/** Upper estimate of the attributes beside name and value. */
const attributeBytes = 128

const accessName = 'stack-access'
const legacyName = 'stack-refresh'

/** A cookie to write; `maxAgeSeconds` 0 deletes it, undefined lets it end with the browser. */
export interface TokenCookie {
  readonly name: string
  readonly value: string
  readonly maxAgeSeconds: number | undefined
  /** Set by another kit and to be deleted: on this host or a parent domain, partitioned or not. */
  readonly isForeign?: true
}

/**
 * The tokens of one project in a cookie header, written by this kit or by the platform's own. `over` gets those of a session that
 * was to end with a browser that has ended since: they count no more, whichever kit wrote them and however long they last.
 */
export function tokensInCookies(header: string, projectId: string, over?: (tokens: Tokens) => void): Tokens | null {
  const jar = readCookies(header)
  // Every newer kit deletes the plain cookie when it writes, so a plain cookie beside its own is the newer one.
  const refreshToken = jar.get(refreshName(projectId)) || newestIn(jar, projectId) || jar.get(legacyName) || null
  const accessToken = accessTokenOf(jar.get(accessName), refreshToken ?? '')
  if (refreshToken === null && accessToken === null) return null
  const tokens = { accessToken, refreshToken }
  if (jar.get(briefName(projectId)) !== fingerprint(refreshToken) || jar.has(witnessName(projectId))) return tokens
  over?.(tokens)
  return null
}

/**
 * The cookies that store `next`, in the order in which they have to be written. `header`: the present cookies; `lasts`: whether the
 * session, or else the next one, outlasts the browser, by default as the present one does. With it `header` may be older.
 */
export function cookiesOf(
  next: Tokens | null,
  projectId: string,
  header: string,
  lasts?: boolean,
): readonly TokenCookie[] {
  const { accessToken, refreshToken } = next ?? { accessToken: null, refreshToken: null }
  const pair = accessToken === null ? '' : jsonText([refreshToken ?? '', accessToken])
  // A pair too long for a cookie is left out; the next page load refreshes once.
  const fits = pair !== '' && accessName.length + encodeCookie(pair).length + attributeBytes <= maxCookieBytes
  const jar = readCookies(header)
  const isBrief = !(lasts ?? !jar.has(witnessName(projectId)))
  const access = cookie(accessName, fits ? pair : '', isBrief ? undefined : accessMaxAgeSeconds)
  const refresh = cookie(refreshName(projectId), refreshToken ?? '', isBrief ? undefined : refreshMaxAgeSeconds)
  // A browser says of no cookie how long it lasts: two marks do, one that lasts, and a witness that ends with the browser. The
  // witness is written first and removed last, or another tab would take the session for ended.
  const marks = [
    cookie(witnessName(projectId), (next ? isBrief : lasts === false) ? '1' : '', undefined),
    cookie(briefName(projectId), next && isBrief ? fingerprint(refreshToken) : '', refreshMaxAgeSeconds),
  ].filter(({ name, value }) => lasts !== undefined || value !== (jar.get(name) ?? ''))
  // Read only without a refresh cookie. It is then the session that ends here, and unless deleted it would bring that
  // session back. Beside a refresh cookie it belongs to an older app, which a refresh must not sign out.
  const wasRead = jar.has(legacyName) && (refreshToken === null || !jar.has(refresh.name))
  return [
    ...(isBrief && next ? marks : []),
    // The pair names its refresh token, so that a read between the two writes never combines tokens of two sessions.
    ...(next ? [access, refresh] : [refresh, access]),
    ...(isBrief && next ? [] : marks.reverse()),
    ...(wasRead ? [cookie(legacyName, '', 0)] : []),
    ...newerNames(jar, projectId).map(name => ({ ...cookie(name, '', 0), isForeign: true as const })),
  ]
}

function cookie(name: string, value: string, maxAgeSeconds: number | undefined): TokenCookie {
  return { name, value, maxAgeSeconds: value === '' ? 0 : maxAgeSeconds }
}

/** Ends with the browser. */
export function witnessName(projectId: string): string {
  return `rxauth-witness-${projectId}`
}

/** Outlasts the browser, and names the session that does not. */
function briefName(projectId: string): string {
  return `rxauth-brief-${projectId}`
}

/** 32 bits that tell sessions apart: a later session of another kit is not the one that has ended. */
export function fingerprint(refreshToken: string | null): string {
  let sum = 0
  for (const character of refreshToken ?? '') sum = (Math.imul(sum, 31) + character.charCodeAt(0)) | 0
  return sum.toString(36)
}

/**
 * `[__Host-]stack-refresh-<project>--default`, `stack-refresh-<project>--custom-<domain>`, and both under the other brand,
 * whose access token is not read: the refresh token gets a new one. Names that a framework refuses to write are none of them.
 */
function newerNames(jar: ReadonlyMap<string, string>, projectId: string): string[] {
  const middle = `-refresh-${projectId}--`
  return [...jar.keys()].filter(name => {
    const [brand, kind = ''] = name.split(middle, 2)
    return (
      name === 'hexclave-access' || (/^(__Host-)?(stack|hexclave)$/.test(brand ?? '') && /^[\w-]{1,500}$/.test(kind))
    )
  })
}

/** The refresh token that a newer kit wrote last. */
function newestIn(jar: ReadonlyMap<string, string>, projectId: string): string | null {
  let newest: string | null = null
  let newestAt = 0
  for (const name of newerNames(jar, projectId)) {
    // Both fields are undefined in any other value.
    const value = (parseJson(jar.get(name) ?? '') ?? {}) as Readonly<Partial<Record<string, unknown>>>
    const { refresh_token: token, updated_at_millis: at } = value
    const writtenAt = typeof at === 'number' ? at : 0
    if (typeof token !== 'string' || writtenAt < newestAt) continue
    newest = token
    newestAt = writtenAt
  }
  return newest
}

/**
 * The value encoded for a cookie: percent-encoded, but for the few characters that the platform's kit leaves as they are.
 */
export function encodeCookie(value: string): string {
  return (Cookies.converter.write ?? encodeURIComponent)(wellFormed(value), '')
}

function refreshName(projectId: string): string {
  return `stack-refresh-${projectId}`
}

/** The access token, if it was written together with the present refresh token; older kits stored a bare token here. */
function accessTokenOf(pair: string | undefined, refreshToken: string): string | null {
  const value = parseJson(pair ?? '')
  if (!Array.isArray(value)) return null
  const [owner, accessToken] = value as unknown[]
  return owner === refreshToken && typeof accessToken === 'string' ? accessToken : null
}

/** The cookies by name. The first of two with one name wins: browsers list the narrower path and host first. */
export function readCookies(header: string): Map<string, string> {
  const jar = new Map<string, string>()
  for (const part of header.split(/; ?/)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals)
    if (equals < 1 || jar.has(name)) continue
    try {
      jar.set(name, (Cookies.converter.read ?? decodeURIComponent)(part.slice(equals + 1), name))
    } catch {
      // A cookie of other origin with an invalid percent sequence.
    }
  }
  return jar
}
