import { switchAccount } from 'rxauth'
import type { AccountSwitch } from 'rxauth'
import { actions, pass } from './actions'
import { lagMillis } from './history'
import { Simulation } from './simulation'
import { seeded } from './steps'
import type { Plan } from './steps'

export interface Outcome {
  readonly violation: { readonly invariant: string; readonly what: string } | undefined
  readonly reached: ReadonlySet<string>
  readonly lines: readonly string[]
}

/** Plays a run, and looks at what the tabs show after each step, and in the end. */
export async function run({ setting, steps }: Plan): Promise<Outcome> {
  const simulation = new Simulation(setting)
  const { history, shared } = simulation
  try {
    await shared.clock.advance(100)
    for (const step of steps) {
      if (history.violation) break
      simulation.random = seeded(step.pick)
      const { awake } = simulation
      history.log(`-- ${step.do}`)
      await actions[step.do](simulation, awake[step.tab % awake.length]!, step.pick)
      await shared.clock.advance(step.millis)
      look(simulation)
    }
    if (!history.violation) await settle(simulation)
    if (!history.violation && setting.hasAccounts) await findAll(simulation)
  } finally {
    simulation.end()
  }
  const { violation, reached, lines } = history
  return { violation, reached, lines }
}

/** What every tab that runs shows now. */
function look({ history, tabs, shared }: Simulation): void {
  const isRested = shared.clock.monotonic() - history.changedAt > lagMillis
  if (!history.isSync || !isRested) return
  for (const tab of tabs) {
    if (tab.isFrozen) continue
    const shown = history.of(tab.app.tokens$.value)
    history.require(!shown?.isOut, 'no tab shows a session that was signed out', tab.name)
    if (tab.isVisible)
      history.require(
        shown === history.present,
        'every tab shows the store',
        `${tab.name} has ${history.nameOf(shown)}`,
      )
  }
}

/** Nothing goes wrong any more: in the end every call has settled, and every tab shows the store. */
async function settle(simulation: Simulation): Promise<void> {
  const { history, network, shared, tabs, setting } = simulation
  history.log('-- the end')
  network.faults = []
  simulation.failures = 0
  simulation.afterCookie = undefined
  for (const tab of tabs) {
    if (!tab.isVisible) tab.show(true)
    await tab.wake()
  }
  await shared.clock.advance(3000)
  // Without locks a refusal may be that of a token which another tab has just used.
  const isDoubted = () => history.present?.isDead === true && setting.rotates && !setting.hasLocks
  if (setting.isCalm && !history.trouble.ofNaps && !isDoubted()) finally_(simulation)
  await pass(simulation, 150_000)
  await shared.clock.advance(2000)
  for (const { name, calls } of tabs)
    for (const call of calls) history.require(call.isSettled, 'every call settles', `${name}: ${call.name}`)
  history.require(shared.locks.held.size === 0, 'no lock is held for nothing')
  // Every tab needs another token.
  shared.clock.shiftWall(601_000)
  for (const tab of tabs) {
    let token: string | null | undefined
    tab.start(
      'token',
      () => tab.app.accessToken(),
      got => (token = got),
    )
    await shared.clock.advance(3000)
    const { present, trouble } = history
    const isRight = token !== undefined && history.ofAccess(token) === present && !present?.isDead
    // A clock that was set back makes tokens last.
    const isExcused = present?.isDead && (trouble.ofClocks || isDoubted())
    history.require(
      isRight || isExcused === true,
      'every tab has a token of the session in the end',
      `${tab.name}: ${token === undefined ? 'none' : history.nameOf(history.ofAccess(token))}`,
    )
  }
  await shared.clock.advance(1000)
  finally_(simulation)
  if (!history.trouble.ofEnds)
    for (const session of history.sessions.values())
      history.require(
        !session.isOut || session.isDead,
        'a sign-out ends the session on the platform',
        history.nameOf(session),
      )
}

/** Every person who has not signed out can be switched to. */
async function findAll(simulation: Simulation): Promise<void> {
  const { history, shared, tabs } = simulation
  const [tab] = tabs
  for (const session of [...history.sessions.values()]) {
    const { userId, isOver, isDead, isTroubled, wasStored } = session
    if (!wasStored || isOver || isDead || isTroubled) continue
    let switched: AccountSwitch | undefined
    tab!.start(
      'the last switch',
      () => switchAccount(tab!.app, { userId }),
      result => (switched = result),
    )
    await shared.clock.advance(3000)
    history.require(
      switched?.ok === true && history.present === session,
      'no person is lost',
      `${history.nameOf(session)}: ${JSON.stringify(switched)}`,
    )
    finally_(simulation)
  }
}

function finally_({ history, tabs }: Simulation): void {
  const { present } = history
  for (const { app, name } of tabs) {
    const auth = app.auth$.value
    const shown = 'user' in auth ? auth.user.id : auth.status
    history.require(
      shown === (present?.userId ?? 'signed-out'),
      'every tab shows the store in the end',
      `${name} shows ${shown}`,
    )
    if (!('user' in auth) || auth.status === 'anonymous') continue
    const names = history.names.get(auth.user.id)
    history.require(
      auth.user.displayName === names?.at(-1),
      'every tab shows the last name in the end',
      `${name} shows ${auth.user.displayName}, not ${names?.at(-1)}`,
    )
  }
}
