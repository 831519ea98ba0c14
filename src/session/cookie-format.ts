import Cookies from 'js-cookie'
import type { Tokens } from '../transport/credentials'

/** Spec §9. */
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
}

/** The tokens of one project in a cookie header. Written by this kit or by the platform's own. */
export function tokensInCookies(header: string, projectId: string): Tokens | null {
  const jar = readCookies(header)
  const refreshToken = jar.get(refreshName(projectId)) ?? jar.get(legacyName) ?? null
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
  ]
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
  if (!pair?.startsWith('["')) return null
  try {
    const [owner, accessToken] = JSON.parse(pair) as unknown[]
    return owner === refreshToken && typeof accessToken === 'string' ? accessToken : null
  } catch {
    return null
  }
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
