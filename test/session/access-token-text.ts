import { readAccessToken } from '../../src/transport/access-token'

/** The user and the session of an access token, for another token of the same session. */
export function ownerOf(accessToken: string | null): { readonly sub: string; readonly refreshTokenId: string } {
  const { userId, sessionId } = readAccessToken(accessToken!)!
  return { sub: userId, refreshTokenId: sessionId }
}

/** An access token with these claims: well formed, but unsigned. `iat` and `exp` are in seconds. */
export function accessTokenText(claims: Readonly<Record<string, unknown>> = {}): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'ES256' })}.${part({ sub: 'user-1', refreshTokenId: 'session-1', ...claims })}.signature`
}
