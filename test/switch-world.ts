import type { ClientApp } from 'rxauth'
import type { Platform } from 'rxauth/platform'
import { ada, world, type World } from './world'

/** More than a user can open in the 5 s for which an unused store keeps its value. */
const numbers = Array.from({ length: 12 }, (_, index) => index)
export const teamId = (number: number) => `b0c1d2e3-1111-4222-8333-${String(number).padStart(12, '0')}`

/** What a screen of a team shows, and nothing else may it show. */
export const known = /^Team \d+: 1 members$/

/** Ada in twelve teams, of which the first is selected. */
export async function twelveTeams(): Promise<World & { readonly elsewhere: ClientApp }> {
  const one = await world({
    platform: {
      seed: {
        users: [ada],
        teams: numbers.map(number => ({ id: teamId(number), displayName: `Team ${number}`, members: [ada] })),
      },
    },
  })
  await one.inTime(one.app.selectTeam({ teamId: teamId(0) }))
  return { ...one, elsewhere: one.newApp({ tokens: await one.tokensOf(ada) }) }
}

interface Switching {
  readonly app: ClientApp
  readonly elsewhere: ClientApp
  readonly platform: Platform
  readonly times: number
  /** Selects by the page. */
  select(id: string): Promise<unknown>
  pass(millis: number): Promise<void>
  /** Called between the steps of a switch, and with the number of the team after it. */
  look(done?: number): void
}

/** Selects one team after another, with answers that take up to 1.5 s; one in ten is selected elsewhere. */
export async function switchTeams({ app, elsewhere, platform, times, select, pass, look }: Switching): Promise<void> {
  let seed = 1
  // A linear congruential generator: the same delays in every run.
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const below = (limit: number) => Math.floor(random() * limit)
  let at = 0
  for (let turn = 0; turn < times; turn++) {
    at = (at + 1 + below(10)) % numbers.length
    platform.faults.every('GET /team-member-profiles', { delayMillis: below(1_500) })
    platform.faults.every('PATCH /users/me', { delayMillis: below(1_500) })
    const selecting =
      random() < 0.1 ? elsewhere.selectTeam({ teamId: teamId(at) }).then(() => app.user$.refresh()) : select(teamId(at))
    for (let step = 0; step < 10; step++) {
      await pass(below(600))
      look()
    }
    await pass(5_100)
    await selecting
    look(at)
  }
}
