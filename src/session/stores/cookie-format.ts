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

/** A cookie to write; `maxAgeSeconds` 0 deletes it. */
export interface TokenCookie {
  readonly name: string
  readonly value: string
  readonly maxAgeSeconds: number
  /** Set by another kit and to be deleted: on this host or a parent domain, partitioned or not. */
  readonly isForeign?: true
}

/** The tokens of one project in a cookie header, written by this kit or by the platform's own. */
export function tokensInCookies(header: string, projectId: string): Tokens | null {
  const jar = readCookies(header)
  // Every newer kit deletes the plain cookie when it writes, so a plain cookie beside its own is the newer one.
  const refreshToken = jar.get(refreshName(projectId)) || newestIn(jar, projectId) || jar.get(legacyName) || null
  const accessToken = accessTokenOf(jar.get(accessName), refreshToken ?? '')
  return refreshToken === null && accessToken === null ? null : { accessToken, refreshToken }
}

/** The cookies that store `next`, in the order in which they have to be written. `header`: the present cookies. */
export function cookiesOf(next: Tokens | null, projectId: string, header: string): readonly TokenCookie[] {
  const { accessToken, refreshToken } = next ?? { accessToken: null, refreshToken: null }
  const pair = accessToken === null ? '' : jsonText([refreshToken ?? '', accessToken])
  // A pair too long for a cookie is left out; the next page load refreshes once.
  const fits = pair !== '' && accessName.length + encodeCookie(pair).length + attributeBytes <= maxCookieBytes
  const access = { name: accessName, value: fits ? pair : '', maxAgeSeconds: fits ? accessMaxAgeSeconds : 0 }
  const refresh = {
    name: refreshName(projectId),
    value: refreshToken ?? '',
    maxAgeSeconds: refreshToken === null ? 0 : refreshMaxAgeSeconds,
  }
  const jar = readCookies(header)
  // Read only without a refresh cookie. It is then the session that ends here, and unless deleted it would bring that
  // session back. Beside a refresh cookie it belongs to an older app, which a refresh must not sign out.
  const wasRead = jar.has(legacyName) && (refreshToken === null || !jar.has(refresh.name))
  return [
    // The pair names its refresh token, so that a read between the two writes never combines tokens of two sessions.
    ...(next ? [access, refresh] : [refresh, access]),
    ...(wasRead ? [{ name: legacyName, value: '', maxAgeSeconds: 0 }] : []),
    ...newerNames(jar, projectId).map(name => ({ name, value: '', maxAgeSeconds: 0, isForeign: true as const })),
  ]
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
