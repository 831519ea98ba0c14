import { createClientApp, memoryTokens, type ClientApp, type ClientOptions, type TokenSource } from 'rxauth'
import { createPlatform, virtualClock, type Platform, type PlatformOptions } from 'rxauth/platform'

export const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }
export const grace = { email: 'grace@example.com', password: 'battery staple', displayName: 'Grace' }

/** A platform and kits on one virtual clock: time passes only by `clock.advance()`. */
export interface World {
  readonly clock: ReturnType<typeof virtualClock>
  readonly platform: Platform
  /** Every request that reached the platform: `GET /users/me`. */
  readonly requests: string[]
  /** A kit signed in as Ada, unless configured otherwise. */
  readonly app: ClientApp
  /** Another kit of the same project; `tokens` defaults to signed out. */
  newApp(options?: Partial<ClientOptions>): ClientApp
  tokensOf(person: { readonly email: string }): Promise<TokenSource>
  /** Runs what is ready, then returns the promise's result; fails if it needs time to pass. */
  settled<T>(promise: Promise<T>): Promise<T>
  /** Advances ten seconds, enough for throttled loads, then returns the promise's result. */
  inTime<T>(promise: Promise<T>): Promise<T>
}

export async function world(
  options: { readonly platform?: PlatformOptions; readonly app?: Partial<ClientOptions> } = {},
): Promise<World> {
  const clock = virtualClock()
  const platform = createPlatform({ clock, seed: { users: [ada, grace] }, ...options.platform })
  const requests: string[] = []
  platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
  const newApp = (given: Partial<ClientOptions> = {}) =>
    createClientApp({ ...platform.options, tokens: memoryTokens(), ...given })
  const tokensOf = ({ email }: { readonly email: string }) => platform.tokensFor(email)
  const app = newApp({ tokens: await tokensOf(ada), ...options.app })
  return {
    clock,
    platform,
    requests,
    app,
    newApp,
    tokensOf,
    settled: promise => clock.settled(promise),
    async inTime(promise) {
      promise.catch(() => undefined)
      await clock.advance(10_000)
      return clock.settled(promise)
    },
  }
}
