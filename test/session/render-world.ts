import type { CookieWrite, RequestLike, WriteCookie } from 'rxauth'
import type { PlatformOptions } from 'rxauth/platform'
import { createServerApp, type ServerOptions } from 'rxauth/server'
import { ada, grace, world } from '../world'

export const tenMinutes = 600_000

export const adaId = '3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11'
export const graceId = '5b0e5c0a-6a55-4c0e-9d0e-0d3c2a6f1e77'

/** A place that may not write, such as a server component of React. */
export const refuse: WriteCookie = () => {
  throw new Error('Cookies can only be modified in a Server Action or Route Handler.')
}

/** A browser's cookies: what its requests bring, and what the answers to them set. */
export interface Jar {
  readonly cookies: Map<string, string>
  /** Each cookie that an answer has set or deleted. */
  readonly written: CookieWrite[]
  readonly write: WriteCookie
  request(headers?: Readonly<Record<string, string>>): RequestLike
}

export function newJar(): Jar {
  const cookies = new Map<string, string>()
  const written: CookieWrite[] = []
  return {
    cookies,
    written,
    write(cookie) {
      written.push(cookie)
      if (cookie.options.maxAge === 0) cookies.delete(cookie.name)
      else cookies.set(cookie.name, cookie.value)
    },
    request(headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; ')
      return { headers: new Headers({ host: 'app.example.com', cookie, ...headers }) }
    },
  }
}

/** A backend that renders pages, and browsers of its users. */
export async function renderWorld(options: Partial<ServerOptions> = {}, platform: PlatformOptions = {}) {
  const users = [
    { ...ada, id: adaId },
    { ...grace, id: graceId },
  ]
  const one = await world({ platform: { seed: { users }, ...platform } })
  const newServer = (more: Partial<ServerOptions> = {}) =>
    createServerApp({ ...one.platform.serverOptions, ...options, ...more })
  const { projectId } = one.platform.options
  /** A browser in which the user has signed in. */
  const browser = async (person: { readonly email: string } = ada) => {
    const { accessToken, refreshToken } = (await one.platform.tokensFor(person.email)).read()!
    const jar = newJar()
    jar.cookies.set('stack-access', JSON.stringify([refreshToken, accessToken]))
    jar.cookies.set(`stack-refresh-${projectId}`, refreshToken ?? '')
    return jar
  }
  const refreshes = () => one.requests.filter(line => line === 'POST /auth/oauth/token').length
  const refreshTokenOf = ({ cookies }: Jar) => cookies.get(`stack-refresh-${projectId}`)
  return { ...one, server: newServer(), newServer, browser, refreshes, refreshTokenOf }
}
