import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'

/** A backend on a platform where every method is on. */
export async function backend() {
  const config = { magicLinkEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] }
  const one = await world({ platform: { seed: { project: { config }, users: [ada, grace] } } })
  const server = createServerApp(one.platform.serverOptions)
  const [adaId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  return { ...one, server, adaId }
}

/** A backend, a restricted user and an anonymous one beside Ada. */
export async function restrictedBackend(wire: '2.8.18' | '2026' = '2026') {
  const one = await world({ platform: { wire, seed: { users: [ada, { ...grace, restricted: true }] } } })
  await one.inTime(one.newApp().signUpAnonymously())
  const server = createServerApp(one.platform.serverOptions)
  const idOf = async (query: string) => {
    const { items } = await one.settled(
      server.users$({ query, ...(wire === '2026' && { includeRestricted: true }) }).get(),
    )
    return items[0]!.id
  }
  return { ...one, server, adaId: await idOf(ada.email), graceId: await idOf(grace.email) }
}
