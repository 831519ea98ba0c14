import type { UserApiKey } from 'rxauth'
import { ada, grace, world } from '../../world'

export const expiresAt = new Date('2030-01-01T00:00:00Z')

export async function make() {
  const one = await world({
    platform: { seed: { project: { config: { allowUserApiKeys: true } }, users: [ada, grace] } },
  })
  const { app, settled, clock } = one
  const shown: (readonly UserApiKey[])[] = []
  app.userApiKeys$.subscribe(all => shown.push(all))
  await clock.advance(1000)
  one.requests.length = 0
  const create = (description = 'ci') => settled(app.createUserApiKey({ description, expiresAt }))
  return { ...one, shown, create }
}
