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
  authorizeUrl(changes?: Readonly<Record<string, string | undefined>>, provider?: string): Promise<string>
  /** Opens an address like a browser, with its cookies. */
  visit(url: string, init?: RequestInit): Promise<Answer>
  /** From the start to the app's code, with this user at the provider. */
  signIn(
    user: ProviderUser | 'refuses',
    changes?: Readonly<Record<string, string | undefined>>,
    provider?: string,
  ): Promise<Answer>
  exchange(code: string | null, changes?: Readonly<Record<string, string | undefined>>): Promise<Answer>
}

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

  async function authorizeUrl(changes: Readonly<Record<string, string | undefined>> = {}, provider = 'github') {
    const parameters: Record<string, string | undefined> = {
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

  return {
    ...world,
    origin,
    authorizeUrl,
    visit,
    async signIn(user, changes, provider) {
      platform.oauth.nextUser(user)
      const start = await visit(await authorizeUrl(changes, provider))
      const chosen = await visit(start.headers.get('location') ?? '')
      return visit(chosen.headers.get('location') ?? '')
    },
    exchange(code, changes = {}) {
      const parameters: Record<string, string | undefined> = {
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
