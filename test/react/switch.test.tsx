import { act, render } from '@testing-library/react'
import { memo, startTransition, StrictMode, Suspense, useLayoutEffect, useMemo } from 'react'
import type { Team, TeamMember } from 'rxauth'
import { AuthProvider, useApp, useUser, useValue } from 'rxauth/react'
import { runs } from '../runs'
import { known, switchTeams, twelveTeams } from '../switch-world'
import { silenceReports } from './harness'

interface Shown {
  readonly selected: string | null
  readonly members: readonly TeamMember[]
  readonly teams: readonly Team[]
}

/** What a screen shows of the selected team; `data-mixed`: of two. */
function Screen({ selected, members, teams }: Shown) {
  const name = teams.find(({ id }) => id === selected)?.displayName
  const isMixed = name === undefined || members.some(member => member.teamId !== selected)
  return (
    <p data-mixed={isMixed}>
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

const ways = Object.keys(shapes).flatMap(shape =>
  [false, true].flatMap(isStrict =>
    [false, true].map(inTransition => [shape as keyof typeof shapes, isStrict, inTransition] as const),
  ),
)

let reports: jest.SpyInstance
beforeEach(() => (reports = silenceReports()))
afterEach(() => reports.mockRestore())

describe('a screen of the selected team', () => {
  // Promise: select-team
  it.each(ways)(
    'shows a team at every moment, and never two (%s, StrictMode: %s, in a transition: %s)',
    async (shape, isStrict, inTransition) => {
      const { app, clock, ...rest } = await twelveTeams()
      const pass = (millis: number) => act(() => clock.advance(millis))
      const start = inTransition ? startTransition : (change: () => void) => change()
      let fallbacks = 0
      function Fallback() {
        useLayoutEffect(() => {
          fallbacks++
        })
        return <p>loading</p>
      }
      const Shape = shapes[shape]
      const tree = (
        <AuthProvider app={app}>
          <Suspense fallback={<Fallback />}>
            <Shape />
          </Suspense>
        </AuthProvider>
      )
      const { container } = render(isStrict ? <StrictMode>{tree}</StrictMode> : tree)
      await pass(10_000)
      fallbacks = 0
      const wrong = new Set<string>()
      const look = (done?: number) => {
        const shown = container.querySelector('p')
        const isVisible = shown !== null && shown.style.display !== 'none'
        const text = isVisible ? container.textContent : 'nothing'
        if (!known.test(text)) wrong.add(text)
        if (shown?.dataset['mixed'] === 'true') wrong.add(`mixed: ${text}`)
        if (done !== undefined && text !== `Team ${done}: 1 members`) wrong.add(`${text} in place of Team ${done}`)
      }
      const observer = new MutationObserver(() => {
        look()
      })
      observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true })
      const select = (id: string) => {
        const selecting: Promise<unknown>[] = []
        act(() => start(() => void selecting.push(app.selectTeam({ teamId: id }))))
        return selecting[0]!
      }
      await switchTeams({ ...rest, app, pass, look, select, times: runs(21, 500) })
      observer.disconnect()
      expect({ fallbacks, wrong: [...wrong] }).toEqual({ fallbacks: 0, wrong: [] })
    },
  )
})
