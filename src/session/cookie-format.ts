import Cookies from 'js-cookie'
import type { Tokens } from '../transport/credentials'

// By hand: the format is shared with the vendor's kit, names and JSON included; js-cookie only reads and writes cookies.

/** A year. */
const refreshMaxAgeSeconds = 31_536_000
const accessMaxAgeSeconds = 86_400
/** Browsers drop longer cookies without a word. */
const maxCookieBytes = 4096
/** Attributes that are written beside name and value, generously. */
const attributeBytes = 128

const accessName = 'stack-access'
const legacyName = 'stack-refresh'

/** A cookie to be written; `maxAgeSeconds` 0 deletes it. */
export interface TokenCookie {
  readonly name: string
  readonly value: string
  readonly maxAgeSeconds: number
  /** Another kit's, to be deleted: of this host or of a domain above it, and partitioned or not. */
  readonly isForeign?: true
}

/** The tokens of one project in a cookie header. Written by this kit or by the platform's own. */
export function tokensInCookies(header: string, projectId: string): Tokens | null {
  const jar = readCookies(header)
  // Every newer kit deletes the plain cookie when it writes: one beside its own was written later.
  const refreshToken = jar.get(refreshName(projectId)) || newestIn(jar, projectId) || jar.get(legacyName) || null
  const accessToken = accessTokenOf(jar.get(accessName), refreshToken ?? '')
  return refreshToken === null && accessToken === null ? null : { accessToken, refreshToken }
}

/** The cookies that hold `next`, in the order in which they have to be written. `header`: those that are there now. */
export function cookiesOf(next: Tokens | null, projectId: string, header: string): readonly TokenCookie[] {
  const { accessToken, refreshToken } = next ?? { accessToken: null, refreshToken: null }
  const pair = accessToken === null ? '' : JSON.stringify([refreshToken ?? '', accessToken])
  // A pair that is too long for a cookie is left out; the next page load refreshes once.
  const fits = pair !== '' && accessName.length + encodeCookie(pair).length + attributeBytes <= maxCookieBytes
  const access = { name: accessName, value: fits ? pair : '', maxAgeSeconds: fits ? accessMaxAgeSeconds : 0 }
  const refresh = {
    name: refreshName(projectId),
    value: refreshToken ?? '',
    maxAgeSeconds: refreshToken === null ? 0 : refreshMaxAgeSeconds,
  }
  const jar = readCookies(header)
  // Read only where there is no refresh cookie. Then it is the session that is replaced or ends here, and left alone it would
  // bring that back; beside a refresh cookie it is an older app's, which is not signed out by our refreshes.
  const wasRead = jar.has(legacyName) && (refreshToken === null || !jar.has(refresh.name))
  return [
    // The pair names its refresh token, so a reader between the two writes never sees tokens of two sessions together.
    ...(next ? [access, refresh] : [refresh, access]),
    ...(wasRead ? [{ name: legacyName, value: '', maxAgeSeconds: 0 }] : []),
    ...newerNames(jar, projectId).map(name => ({ name, value: '', maxAgeSeconds: 0, isForeign: true as const })),
  ]
}

/**
 * `[__Host-]stack-refresh-<project>--default`, `stack-refresh-<project>--custom-<domain>`, and the same of the other brand,
 * whose access token is not read: the refresh token brings another one.
 */
function newerNames(jar: ReadonlyMap<string, string>, projectId: string): string[] {
  return [...jar.keys()].filter(
    name =>
      name === 'hexclave-access' ||
      name.replace(/^(__Host-)?(stack|hexclave)/, '').startsWith(`-refresh-${projectId}--`),
  )
}

/** The refresh token that a newer kit has written last. */
function newestIn(jar: ReadonlyMap<string, string>, projectId: string): string | null {
  let newest: string | null = null
  let newestAt = 0
  for (const name of newerNames(jar, projectId)) {
    // Of whatever else it is, both parts are undefined.
    const value = (parsed(jar.get(name)) ?? {}) as Readonly<Partial<Record<string, unknown>>>
    const { refresh_token: token, updated_at_millis: at } = value
    const writtenAt = Number(at) || 0
    if (typeof token !== 'string' || writtenAt < newestAt) continue
    newest = token
    newestAt = writtenAt
  }
  return newest
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value as it goes into a cookie: percent-encoded but for the few characters that the platform's kit leaves alone. */
export function encodeCookie(value: string): string {
  return (Cookies.converter.write ?? encodeURIComponent)(value, '')
}

function refreshName(projectId: string): string {
  return `stack-refresh-${projectId}`
}

/** Accepted only if it was written together with the present refresh token; older kits stored a bare token here. */
function accessTokenOf(pair: string | undefined, refreshToken: string): string | null {
  const value = parsed(pair)
  if (!Array.isArray(value)) return null
  const [owner, accessToken] = value as unknown[]
  return owner === refreshToken && typeof accessToken === 'string' ? accessToken : null
}

/** Of two cookies with one name the first counts: browsers list the one of the narrower path and host first. */
export function readCookies(header: string): Map<string, string> {
  const jar = new Map<string, string>()
  for (const part of header.split(/; ?/)) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals)
    if (equals < 1 || jar.has(name)) continue
    try {
      jar.set(name, (Cookies.converter.read ?? decodeURIComponent)(part.slice(equals + 1), name))
    } catch {
      // Somebody else's cookie with a broken percent sequence.
    }
  }
  return jar
}
