import { impersonation$, otherAccounts$, switchAccount, type AccountSwitch, type ClientApp } from 'rxauth'
import { actions, pass, stopActing } from './actions'
import { lagMillis, type History } from './history'
import { Simulation } from './simulation'
import { seeded, type Plan } from './steps'
import { judgeTruth, truthOf } from './truth'

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
      await shared.clock.advance(0)
      if (history.isSync) for (const tab of simulation.awake) tab.shown.look()
      await shared.clock.advance(step.millis)
      if (history.isSync) for (const tab of simulation.awake) tab.shown.look()
      look(simulation)
      simulation.judgeStorage()
    }
    if (!history.violation) await settle(simulation)
    if (!history.violation && setting.hasAccounts) await findAll(simulation)
  } finally {
    await simulation.end()
  }
  const { violation, reached, lines } = history
  return { violation, reached, lines }
}

/** What every tab that runs shows now. */
function look({ history, tabs, shared }: Simulation): void {
  const isRested = shared.clock.monotonic() - history.changedAt > lagMillis
  if (!history.isSync || !isRested) return
  for (const tab of tabs) {
    if (tab.isFrozen || tab.watches === 'nothing') continue
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
  if (setting.isCalm && !history.trouble.ofNaps && !isDoubted()) await judge(simulation)
  await pass(simulation, 150_000)
  for (const tab of tabs) if (tab.watches !== 'all') tab.watch('all')
  await shared.clock.advance(2000)
  for (const { name, calls } of tabs)
    for (const call of calls) history.require(false, 'every call settles', `${name}: ${call.name}`)
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
  await judge(simulation)
  if (!history.trouble.ofEnds)
    for (const session of history.sessions.values())
      history.require(
        session.isDead || !(session.isOut || (session.isReplaced && session.wasStored)),
        'a session that is over has ended on the platform',
        history.nameOf(session),
      )
}

/** Every person who has not signed out can be switched to. */
async function findAll(simulation: Simulation): Promise<void> {
  const { history, shared, tabs } = simulation
  const [tab] = tabs
  const { present: acting } = history
  if (acting?.isActing) {
    const own = history.waiting(acting.by)
    let back: AccountSwitch | undefined
    stopActing(simulation, tab!, result => (back = result))
    await shared.clock.advance(5000)
    history.require(
      own ? back?.ok === true && history.present === own : back !== undefined && history.present !== acting,
      'the end of an impersonation gives the own session back',
      `${history.nameOf(own)}: ${JSON.stringify(back)}`,
    )
    await judge(simulation)
  }
  for (const session of [...history.sessions.values()]) {
    const { userId } = session
    if (history.waiting(userId) !== session) continue
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
    await judge(simulation)
  }
}

/** Who can be switched to, and who has begun the impersonation. */
function showsPeople(history: History, app: ClientApp, name: string): void {
  const { present } = history
  const [people, acting] = [otherAccounts$(app).snapshot, impersonation$(app).snapshot]
  if (people.status !== 'ready' || acting.status !== 'ready') return
  const shown = people.value.map(({ id }) => id)
  for (const { userId } of history.sessions.values()) {
    const isWaiting = userId !== (present?.isActing ? undefined : present?.userId) && history.waiting(userId)
    if (isWaiting) history.require(shown.includes(userId), 'every person who waits is listed', `${name}: ${userId}`)
  }
  for (const id of shown)
    history.require(
      [...history.sessions.values()].some(({ userId, isOver, isActing }) => userId === id && !isOver && !isActing),
      'no person is listed after the sign-out',
      `${name}: ${id}`,
    )
  history.require(
    (acting.value !== null) === (present?.isActing ?? false),
    'an impersonation is shown as one',
    `${name}: ${acting.value?.by?.id}`,
  )
  if (acting.value && history.waiting(present?.by))
    history.require(acting.value.by?.id === present?.by, 'an impersonation names who began it', name)
}

async function judge(simulation: Simulation): Promise<void> {
  const { history, tabs, setting } = simulation
  const { present } = history
  for (const { app, name, watches } of tabs) {
    if (setting.hasAccounts) showsPeople(history, app, name)
    if (watches !== 'all' && watches !== 'session') continue
    const auth = app.auth$.value
    const shown = 'user' in auth ? auth.user.id : auth.status
    history.require(
      shown === (present?.userId ?? 'signed-out'),
      'every tab shows the store in the end',
      `${name} shows ${shown}`,
    )
  }
  const truth = await truthOf(simulation)
  if (truth) judgeTruth(simulation, truth)
}
