import type { Seed } from 'rxauth/platform'
import { accessTokenOf, ada, team, wireWorld, type Answer, type Ask, type World } from './wire-world'

/** A member of Ada's team, and a user outside it. */
export const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com', displayName: 'Grace' }
export const eve = { id: '5e0f3f3e-6a1e-4a63-9b53-3a44d7f0e002', email: 'eve@example.com', displayName: 'Eve' }
export const nobody = '00000000-0000-4000-8000-000000000000'
export const image = 'data:image/png;base64,AAAA'

/** A team permission. */
export const write = { id: 'write', scope: 'team' } as const

export interface TeamWorld extends World {
  /** As Ada by default. */
  readonly as: (who: string | null, line: string, body?: unknown) => Promise<Answer>
  readonly asServer: (line: string, body?: unknown) => Promise<Answer>
}

/** A team of Ada and Grace, who are plain members unless `permissions` says otherwise. Clients may create teams. */
export async function teamWorld(
  given: { readonly permissions?: readonly string[]; readonly seed?: Partial<Seed> } = {},
): Promise<TeamWorld> {
  const { permissions } = given
  const seed: Seed = {
    project: { config: { clientTeamCreationEnabled: true } },
    users: [ada, grace, eve],
    teams: [{ ...team, members: [{ email: ada.email, ...(permissions && { permissions }) }, { email: grace.email }] }],
    ...given.seed,
  }
  const world = wireWorld({ seed })
  const tokens = new Map<string, string>()
  for (const { email } of [ada, grace, eve]) tokens.set(email, await accessTokenOf(world, email))
  const ask = (line: string, how: Ask, body: unknown) =>
    world.ask(line, { ...how, ...(body !== undefined && { body }) })
  return {
    ...world,
    as: (who, line, body) => ask(line, { accessToken: who === null ? undefined : tokens.get(who) }, body),
    asServer: (line, body) => ask(line, { access: 'server' }, body),
  }
}
