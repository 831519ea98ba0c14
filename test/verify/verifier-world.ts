import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose'
import { accessToken, isAuthError, type ClientApp } from 'rxauth'
import { virtualClock } from 'rxauth/platform'
import { tokenVerifier, type VerifierOptions } from 'rxauth/server'

export const projectId = 'a-project'

export const baseUrl = 'https://auth.example.com'

export const issuer = `${baseUrl}/api/v1/projects/${projectId}`

export interface Key {
  readonly publicKey: JWK
  sign(claims?: Readonly<Record<string, unknown>>, header?: object): Promise<string>
}

/** A hosted platform: keys that may be exchanged, and tokens signed with them. */
export async function hosted(options: Partial<VerifierOptions> = {}) {
  const clock = virtualClock()
  const asked: string[] = []
  const state: { keys: readonly JWK[]; answer?: () => Promise<Response> } = { keys: [] }
  const fetch = async (input: RequestInfo | URL) => {
    const { href } = new URL(input as string)
    asked.push(href.slice(baseUrl.length))
    return state.answer ? state.answer() : Response.json({ keys: state.keys })
  }
  const now = () => Math.floor(clock.now() / 1000)
  const newKey = async (kid: string): Promise<Key> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    return {
      publicKey: { ...(await exportJWK(publicKey)), alg: 'ES256', kid },
      sign: (claims = {}, header = {}) => {
        const own = { aud: projectId, iss: issuer, sub: 'ada', iat: now(), exp: now() + 600, ...claims }
        return new SignJWT(own).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(privateKey)
      },
    }
  }
  const first = await newKey('first')
  state.keys = [first.publicKey]
  const verify = tokenVerifier({ projectId, baseUrl, fetch, clock, ...options })
  return { clock, asked, fetch, state, newKey, first, verify, now }
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'good',
    (thrown: unknown) => thrown,
  )
  return isAuthError(error) ? error.code : String(error)
}

export async function tokenOf(app: ClientApp): Promise<string> {
  const token = await accessToken(app)
  if (token === null) throw new Error('no user is signed in')
  return token
}
