import Cookies from 'js-cookie'
import { jsonText, parseJson, wellFormed } from '../../core/values'
import type { Tokens } from '../../transport/access-token'
import type { TokenCookie } from '../token-store'

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

// No cookie tells how long it lasts, so two cookies say of a session that it ends with the browser: a mark that outlasts the browser
// and names the session, and a witness that ends with the browser. Written out at each use, their names are less in a page.

/**
 * The tokens of one project in a cookie header, written by this kit or by the platform's own. A session that was to end with a
 * browser that has ended since counts no more, whichever kit wrote it and however long it lasts: `over` gets its tokens, and the
 * cookies that delete it.
 */
export function tokensInCookies(
  header: string,
  projectId: string,
  over?: (deletions: readonly TokenCookie[], tokens: Tokens) => void,
): Tokens | null {
  const jar = readCookies(header)
  // Every newer kit deletes the plain cookie when it writes, so a plain cookie beside its own is the newer one.
  const refreshToken = jar.get(refreshName(projectId)) || newestIn(jar, projectId) || jar.get(legacyName) || null
  const accessToken = accessTokenOf(jar.get(accessName), refreshToken ?? '')
  const tokens = { accessToken, refreshToken }
  if (refreshToken === null && accessToken === null) return null
  if (jar.get(`rxauth-witness-${projectId}`) || jar.get(`rxauth-brief-${projectId}`) !== fingerprint(refreshToken))
    return tokens
  over?.(cookiesOf(null, projectId, header), tokens)
  return null
}

/**
 * The cookies that store `next`, in the order in which they have to be written. `header`: the present cookies, whose witness says
 * that the session ends with the browser.
 */
export function cookiesOf(next: Tokens | null, projectId: string, header: string): readonly TokenCookie[] {
  const { accessToken, refreshToken } = next ?? { accessToken: null, refreshToken: null }
  const pair = accessToken === null ? '' : jsonText([refreshToken ?? '', accessToken])
  // A pair too long for a cookie is left out; the next page load refreshes once.
  const fits = pair !== '' && accessName.length + encodeCookie(pair).length + attributeBytes <= maxCookieBytes
  const jar = readCookies(header)
  const isBrief = next && jar.get(`rxauth-witness-${projectId}`)
  const access = cookie(accessName, fits ? pair : '', isBrief ? undefined : accessMaxAgeSeconds)
  const refresh = cookie(refreshName(projectId), refreshToken ?? '', isBrief ? undefined : refreshMaxAgeSeconds)
  return [
    // The pair names its refresh token, so that a read between the two writes never combines tokens of two sessions.
    ...(next ? [access, refresh] : [refresh, access]),
    ...[
      cookie(`rxauth-brief-${projectId}`, isBrief ? fingerprint(refreshToken) : '', refreshMaxAgeSeconds),
      // Removed last, or another tab would take the session for ended.
      cookie(`rxauth-witness-${projectId}`, isBrief || ''),
      // The legacy cookie is read only without a refresh cookie. It is then the session that ends here, and unless deleted it would
      // bring that session back. Beside a refresh cookie it belongs to an older app, which a refresh must not sign out.
      cookie(refreshToken === null || !jar.has(refresh.name) ? legacyName : '', ''),
    ].filter(isNewIn(jar)),
    ...newerNames(jar, projectId).map(name => ({ ...cookie(name, ''), isForeign: true as const })),
  ]
}

export function cookie(name: string, value: string, maxAgeSeconds?: number): TokenCookie {
  return { name, value, maxAgeSeconds: value === '' ? 0 : maxAgeSeconds }
}

/** Whether a cookie has another value than among those, or would be the first of its name. */
export function isNewIn(jar: ReadonlyMap<string, string>): (cookie: TokenCookie) => boolean {
  return ({ name, value }) => (jar.get(name) ?? '') !== value
}

export function markName(projectId: string): string {
  return `rxauth-brief-${projectId}`
}

export function witnessName(projectId: string): string {
  return `rxauth-witness-${projectId}`
}

/** 32 bits that tell sessions apart: a later session of another kit is not the one that has ended. */
export function fingerprint(refreshToken: string | null): string {
  let sum = 0
  for (const character of refreshToken ?? '') sum = (sum * 31 + character.charCodeAt(0)) | 0
  return `${sum}`
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
