import { memoryTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import type { ServerOptions } from 'rxauth/server'
import { world } from '../world'

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
