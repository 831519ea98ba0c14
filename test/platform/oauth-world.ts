import { decodeJwt } from 'jose'
import type { ProviderUser, PlatformOptions, ProjectConfig } from 'rxauth/platform'
import { challengeOf } from '../../src/platform/model/oauth'
import { ada, toAnswer, wireWorld, type Answer, type World } from './wire-world'

export const standard = { id: 'github', type: 'standard', clientId: 'Iv1.x', clientSecret: 's3cr3t' } as const
export const shared = { id: 'google', type: 'shared' } as const

export const verifier = 'a'.repeat(43)
export const app = 'http://localhost:3000'

/** A browser without its own actions: one request at a time, with cookies. */
export interface OAuthWorld extends World {
  readonly origin: string
  /** The parameters that the kit sends a browser with, with changes; undefined removes a parameter. */
  authorizeUrl(changes?: Parameters, provider?: string): Promise<string>
  /** Opens an address like a browser, with its cookies. */
  visit(url: string, init?: RequestInit): Promise<Answer>
  /** The answer to the request that leads to the provider. */
  begin(changes?: Parameters, provider?: string): Promise<Answer>
  /** The address of the platform to which the provider leads this user back. */
  chosen(user: ProviderUser | 'refuses', changes?: Parameters, provider?: string): Promise<string>
  /** From the start to the app's code, with this user at the provider. */
  signIn(user: ProviderUser | 'refuses', changes?: Parameters, provider?: string): Promise<Answer>
  exchange(code: string | null, changes?: Parameters): Promise<Answer>
}

type Parameters = Readonly<Record<string, string | undefined>>

export function oauthWorld(config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}): OAuthWorld {
  const { seed, ...rest } = options
  const project = { config: { oauthProviders: [standard, shared], ...config } }
  const world = wireWorld({ seed: { users: [ada], ...seed, project }, ...rest })
  const { platform } = world
  const { baseUrl: origin, projectId, publishableClientKey } = platform.options
  const cookies = new Map<string, string>()

  async function visit(url: string, init: RequestInit = {}): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string> | undefined) }
    const answer = await toAnswer(await platform.fetch(new Request(url, { ...init, headers })))
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = '', expires = ''] = /^([^=]+)=([^;]*).*Expires=([^;]+)/.exec(set) ?? []
      if (Date.parse(expires) <= world.clock.now()) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }

  async function authorizeUrl(changes: Parameters = {}, provider = 'github') {
    const parameters: Parameters = {
      client_id: projectId,
      client_secret: publishableClientKey,
      redirect_uri: `${app}/callback`,
      scope: 'legacy',
      state: 'outer state',
      grant_type: 'authorization_code',
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
      response_type: 'code',
      ...changes,
    }
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
    return `${origin}/api/v1/auth/oauth/authorize/${provider}?${query.toString()}`
  }

  const begin: OAuthWorld['begin'] = async (changes, provider) => visit(await authorizeUrl(changes, provider))
  const chosen: OAuthWorld['chosen'] = async (user, changes, provider) => {
    const start = await begin(changes, provider)
    platform.oauth.nextUser(user)
    return (await visit(start.headers.get('location') ?? '')).headers.get('location') ?? ''
  }
  return {
    ...world,
    origin,
    authorizeUrl,
    visit,
    begin,
    chosen,
    signIn: async (user, changes, provider) => visit(await chosen(user, changes, provider)),
    exchange(code, changes = {}) {
      const parameters: Parameters = {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: `${app}/callback`,
        code_verifier: verifier,
        client_id: projectId,
        client_secret: publishableClientKey,
        ...changes,
      }
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(parameters)) if (value !== undefined) body.set(name, value)
      return visit(`${origin}/api/v1/auth/oauth/token`, { method: 'POST', body })
    },
  }
}

/** A parameter of the redirect's address. */
export function led(answer: Answer, name: string): string | null {
  return new URL(answer.headers.get('location') ?? 'http://nowhere').searchParams.get(name)
}

export const grace = { email: 'grace@example.com', displayName: 'Grace', accountId: '583231' } as const

/** The session of an access token. */
export function sub(token: string): unknown {
  return decodeJwt(token).sub
}

/** The world of OAuth on the newer wire. */
export const newer = (config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) =>
  oauthWorld(config, { wire: '2026', ...options })

export const untrusted = 'https://elsewhere.example.com/page'
