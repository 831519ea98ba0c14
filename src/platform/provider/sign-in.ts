import { createLocalJWKSet, jwtVerify } from 'jose'
import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'
import type { OpenEngine } from '../model/engine'
import { plain } from '../model/refusal'
import { toResponse } from '../http/reply'
import { callbackUrl, issuerOf } from './clients'
import { answerProvider } from './provider'

const Tokens = v.object({
  access_token: v.string(),
  expires_in: v.number(),
  scope: v.string(),
  refresh_token: v.optional(v.string()),
  id_token: v.optional(v.string()),
})
export type ProviderTokens = v.InferOutput<typeof Tokens>

/** Some provider accounts have no name. */
export const ProviderProfile = v.object({
  sub: v.string(),
  email: v.string(),
  email_verified: v.boolean(),
  name: v.optional(v.string()),
})
export type ProviderProfile = v.InferOutput<typeof ProviderProfile>

interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

/** The platform as the client of one provider. All requests stay in this process. */
export class ProviderSignIn {
  readonly #engine: OpenEngine
  readonly #issuer: string
  readonly #callbackUrl: string
  readonly #client: Client

  constructor(engine: OpenEngine, origin: string, provider: string, client: Client) {
    this.#engine = engine
    this.#issuer = issuerOf(origin, provider)
    this.#callbackUrl = callbackUrl(origin, provider)
    this.#client = client
  }

  /** Exchanges a code for the account's profile and tokens. Refuses in plain text if the provider refuses the code. */
  async redeem(
    code: string,
    verifier: string,
  ): Promise<{ readonly tokens: ProviderTokens; readonly profile: ProviderProfile }> {
    const tokens = await this.#token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: this.#callbackUrl,
    })
    if (!tokens) throw plain(400, 'The provider refused its own code: it is unknown, used up or expired.')
    const { payload } = await jwtVerify(tokens.id_token ?? '', createLocalJWKSet(await this.#keys()), {
      issuer: this.#issuer,
      audience: this.#client.clientId,
      currentDate: new Date(this.#engine.clock.now()),
    })
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const profile = v.parse(ProviderProfile, await (await this.#fetch('userinfo', { headers })).json())
    if (profile.sub !== payload.sub)
      throw plain(400, 'The provider returned another account than the one that signed in.')
    return { tokens, profile }
  }

  /** New tokens for the account; null if the provider refuses. */
  refresh(refreshToken: string): Promise<ProviderTokens | null> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken })
  }

  async #token(parameters: Readonly<Record<string, string>>): Promise<ProviderTokens | null> {
    const { clientId, clientSecret } = this.#client
    const response = await this.#fetch('token', {
      method: 'POST',
      body: new URLSearchParams({ ...parameters, client_id: clientId, client_secret: clientSecret }),
    })
    return response.ok ? v.parse(Tokens, await response.json()) : null
  }

  async #keys(): Promise<JSONWebKeySet> {
    return (await (await this.#fetch('jwks.json')).json()) as JSONWebKeySet
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`${this.#issuer}/${path}`, init)
    return toResponse(await answerProvider(this.#engine, new URL(request.url).pathname, request), request)
  }
}
