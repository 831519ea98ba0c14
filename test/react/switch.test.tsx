import { act, render } from '@testing-library/react'
import { memo, startTransition, StrictMode, Suspense, useLayoutEffect, useMemo } from 'react'
import { virtualClock } from 'rxauth/platform'
import type { Team, TeamMember } from 'rxauth'
import { AuthProvider, useApp, useUser, useValue } from 'rxauth/react'
import { runs } from '../runs'
import { ada, world } from '../world'
import { silenceReports } from './harness'

/** More than a user can open in the 5 s for which an unused store keeps its value. */
const numbers = Array.from({ length: 12 }, (_, index) => index)
const teamId = (number: number) => `b0c1d2e3-1111-4222-8333-${String(number).padStart(12, '0')}`

interface Shown {
  readonly selected: string | null
  readonly members: readonly TeamMember[]
  readonly teams: readonly Team[]
}

/** What a screen shows of the selected team: members, and rights, of that team alone. */
function Screen({ selected, members, teams }: Shown) {
  const name = teams.find(({ id }) => id === selected)?.displayName
  const others = members.filter(member => member.teamId !== selected)
  return (
    <p data-mixed={others.length > 0 || name === undefined}>
      {name}: {members.length} members
    </p>
  )
}

/** One derived store of all that the screen shows. */
function OneStore() {
  const app = useApp()
  const shown = useMemo(
    () =>
      app.derive((read): Shown => {
        const selected = read(app.user$)?.selectedTeamId ?? null
        return {
          selected,
          members: selected === null ? [] : read(app.teamMembers$({ teamId: selected })),
          teams: read(app.teams$),
        }
      }),
    [app],
  )
  return <Screen {...useValue(shown)} />
}

/** The user, then the members of the selected team, each by a hook of its own. */
function TwoHooks() {
  const app = useApp()
  const selected = useUser()?.selectedTeamId ?? null
  const members = useValue(selected === null ? null : app.teamMembers$({ teamId: selected })) ?? []
  return <Screen selected={selected} members={members} teams={useValue(app.teams$)} />
}

const shapes = { OneStore: memo(OneStore), TwoHooks: memo(TwoHooks) }

/** Ada in twelve teams, the first selected, on a screen that counts its fallbacks. */
async function switching(shape: keyof typeof shapes, isStrict: boolean, inTransition: boolean) {
  const clock = virtualClock()
  const { app, platform, newApp, tokensOf } = await world({
    platform: {
      clock,
      seed: {
        users: [ada],
        teams: numbers.map(number => ({ id: teamId(number), displayName: `Team ${number}`, members: [ada] })),
      },
    },
  })
  const elsewhere = newApp({ tokens: await tokensOf(ada) })
  const pass = (millis: number) => act(() => clock.advance(millis))
  const seen = { fallbacks: 0, texts: new Set<string>(), mixed: 0 }
  function Fallback() {
    useLayoutEffect(() => {
      seen.fallbacks++
    })
    return <p>loading</p>
  }
  const start = inTransition ? startTransition : (change: () => void) => change()
  const Shape = shapes[shape]
  const tree = (
    <AuthProvider app={app}>
      <Suspense fallback={<Fallback />}>
        <Shape />
      </Suspense>
    </AuthProvider>
  )
  const first = app.selectTeam({ teamId: teamId(0) })
  await clock.advance(10_000)
  await first
  const { container } = render(isStrict ? <StrictMode>{tree}</StrictMode> : tree)
  await pass(10_000)
  seen.fallbacks = 0
  const look = () => {
    const shown = container.querySelector('p')
    seen.texts.add(shown && shown.style.display !== 'none' && shown.textContent ? shown.textContent : 'empty')
    if (container.textContent.includes('loading')) seen.texts.add('loading')
    if (shown?.dataset['mixed'] === 'true') seen.mixed++
  }
  const observer = new MutationObserver(look)
  observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true })
  return {
    app,
    elsewhere,
    platform,
    pass,
    seen,
    look,
    container,
    select: (id: string) => {
      const selecting: Promise<unknown>[] = []
      act(() => start(() => void selecting.push(app.selectTeam({ teamId: id }).catch(() => undefined))))
      return selecting[0]
    },
  }
}

let reports: jest.SpyInstance
beforeEach(() => (reports = silenceReports()))
afterEach(() => reports.mockRestore())

const ways = Object.keys(shapes).flatMap(shape =>
  [false, true].flatMap(isStrict =>
    [false, true].map(inTransition => [shape as keyof typeof shapes, isStrict, inTransition] as const),
  ),
)

describe('a screen of the selected team', () => {
  it.each(ways)(
    'shows a team at every moment, and never two (%s, StrictMode: %s, in a transition: %s)',
    async (shape, isStrict, inTransition) => {
      const { app, elsewhere, platform, pass, seen, look, select, container } = await switching(
        shape,
        isStrict,
        inTransition,
      )
      let seed = 1
      // A linear congruential generator: the same delays in every run.
      const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
      const times = runs(63, 500)
      let at = 0
      for (let turn = 0; turn < times; turn++) {
        at = (at + 1 + Math.floor(random() * 10)) % numbers.length
        platform.faults.every('GET /team-member-profiles', { delayMillis: Math.floor(random() * 1_500) })
        platform.faults.every('PATCH /users/me', { delayMillis: Math.floor(random() * 1_500) })
        // One in ten is selected elsewhere.
        const isElsewhere = random() < 0.1
        const selecting = isElsewhere
          ? elsewhere.selectTeam({ teamId: teamId(at) }).then(() => app.user$.refresh())
          : select(teamId(at))
        for (let step = 0; step < 10; step++) {
          await pass(Math.floor(random() * 600))
          look()
        }
        await pass(5_100)
        await selecting
        look()
        expect(container.textContent).toBe(`Team ${at}: 1 members`)
      }
      expect({ ...seen, texts: [...seen.texts].filter(text => !/^Team \d+: 1 members$/.test(text)) }).toEqual({
        fallbacks: 0,
        texts: [],
        mixed: 0,
      })
    },
  )
})
