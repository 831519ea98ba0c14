import type { PlatformOptions } from 'rxauth/platform'
import { accessTokenOf, ada, team, wireWorld, type Ask } from './wire-world'

export const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com', verified: true }

export const seed = { users: [ada, grace], teams: [{ ...team, members: [{ email: ada.email }] }] }

/** Ada and Grace on the newer wire; `me` is Ada. */
export async function newer(options: PlatformOptions = {}) {
  const world = wireWorld({ wire: '2026', seed, ...options })
  const accessToken = await accessTokenOf(world)
  const as = (access: NonNullable<Ask['access']>) => (line: string, body?: unknown) =>
    world.ask(line, { access, accessToken, ...(body !== undefined && { body }) })
  return { ...world, me: as('client'), server: as('server') }
}
