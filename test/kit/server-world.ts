import { memoryTokens } from 'rxauth'
import { createServerApp, type ServerOptions } from 'rxauth/server'
import { world, type World } from '../world'

/** A platform, a server app of its project, and the headers of every request. */
export async function serverWorld(options: Partial<ServerOptions> = {}) {
  const one = await world()
  const sent: Headers[] = []
  const { fetch } = one.platform.options
  const server = createServerApp({
    ...one.platform.serverOptions,
    fetch(input, init) {
      sent.push(new Headers(init?.headers))
      return fetch(input, init)
    },
    ...options,
  })
  const [adaId = '', graceId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  sent.length = 0
  /** The tokens of an anonymous user. */
  const anonymous = async () => {
    const tokens = memoryTokens()
    const app = one.newApp({ tokens })
    await one.settled(app.signUpAnonymously())
    app.dispose()
    return tokens
  }
  return { ...one, server, sent, adaId, graceId, anonymous }
}

/** `clock.advance` waits for the signatures that a server app checks: on a busy machine a minute of the clock is sooner over. */
export function waitForSignatures({ clock }: Pick<World, 'clock'>): void {
  const { subtle } = crypto
  for (const name of ['importKey', 'sign', 'verify', 'digest'] as const) {
    const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<never>
    jest.spyOn(subtle, name).mockImplementation(async (...args: unknown[]) => {
      const work = clock.begin()
      try {
        return await real(...args)
      } finally {
        work.end()
      }
    })
  }
}

/** The outcome, however long it takes on the clock. */
export async function later<T>({ clock }: Pick<World, 'clock'>, promise: Promise<T>): Promise<T> {
  let isDone = false
  const ended = promise.finally(() => (isDone = true))
  ended.catch(() => undefined)
  for (let tries = 0; !isDone && tries < 300; tries++) await clock.advance(100)
  return clock.settled(ended)
}
