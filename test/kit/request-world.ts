import { createServerApp } from 'rxauth/server'
import { ada, world } from '../world'

/** A server app, and a function that creates apps of its requests. */
export async function requests() {
  const one = await world()
  const server = createServerApp(one.platform.serverOptions)
  return { ...one, server, request: async (person = ada) => server.withTokens(await one.tokensOf(person)) }
}
