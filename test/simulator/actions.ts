import { switchAccount } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { readAccessToken } from '../../src/transport/access-token'
import { secret } from '../sign-in/flow-world'
import { credentialsOf } from '../tabs'
import { fates } from './network'
import { people } from './simulation'
import type { Simulation } from './simulation'
import type { StepName } from './steps'
import type { SimulatedTab } from './tab'

type Action = (simulation: Simulation, tab: SimulatedTab, pick: number) => unknown

const pickOf = <T>(all: readonly T[], pick: number): T => all[pick % all.length]!

/** Signs in with the password, or with a wrong one. */
const signIn: Action = (_, tab, pick) => {
  const { email, password } = credentialsOf(pickOf([...people, people[0]!], pick))
  const isWrong = pick % 13 === 0
  tab.start(`sign-in of ${email}`, () =>
    tab.app.signInWithPassword({ email, password: isWrong ? `${password}!` : password }),
  )
}

const signOut: Action = ({ history, shared }, tab) => {
  const sessions = history.signsOut(history.of(tab.app.tokens$.value))
  history.leaves(tab)
  const since = shared.clock.monotonic()
  tab.start(
    'sign-out',
    () => tab.app.signOut(),
    () => {
      for (const session of sessions) if ((session.leftAt ?? -1) >= since) session.isOut = true
    },
    () => (history.trouble.ofStore = true),
  )
}

/** Signs out of these people, active or not. */
const leave: (of: (pick: number) => 'all' | { readonly userId: string }) => Action =
  of =>
  ({ history }, tab, pick) => {
    const accounts = of(pick)
    for (const session of history.sessions.values())
      if (session.wasStored && (accounts === 'all' || session.userId === accounts.userId)) session.isOver = true
    tab.start('sign-out of accounts', () => tab.app.signOut({ accounts }))
  }

const switchTo: Action = ({ history }, tab, pick) => {
  const { id: userId, email } = pickOf(people, pick)
  tab.start(
    `switch to ${email}`,
    () => switchAccount(tab.app, { userId }),
    result => {
      if (result.ok) history.reach('a person is switched to')
      else history.reach(`a switch is refused: ${result.reason}`)
    },
  )
}

const askForToken: Action = ({ history, shared }, tab) =>
  tab.start(
    'token',
    () => tab.app.accessToken(),
    token => {
      const claims = token === null ? null : readAccessToken(token)
      if (!claims) return
      tab.owns(claims.userId, 'accessToken()')
      const isFresh = claims.expiresAtMillis! > shared.clock.now() || history.trouble.ofClocks
      history.require(isFresh, 'no expired token is given out', tab.name)
    },
  )

const load: Action = (_, tab) =>
  tab.start(
    'load of the user',
    () => tab.app.user$.refresh(),
    user => tab.owns(user?.id, 'user$.refresh()'),
  )

const reads: Action[] = [
  load,
  (_, tab) =>
    tab.start(
      'load of the teams',
      () => tab.app.teams$.refresh(),
      teams => tab.ownsAll(teams, 'teams$.refresh()'),
    ),
  (_, tab) =>
    tab.start(
      'permissions',
      () => tab.app.teamPermissions$({}).get({ maxAgeMillis: 0 }),
      all => tab.ownsAll(all, 'teamPermissions$.get()'),
    ),
  (_, tab) =>
    tab.start(
      'user',
      () => tab.app.user$.get(),
      user => tab.owns(user?.id, 'user$.get()'),
    ),
]

const write: Action = (simulation, tab) => tab.write(++simulation.writes)

/** The machine sleeps until the access tokens have expired. */
const sleep: Action = ({ history, network, shared }, _, pick) => {
  shared.clock.shiftWall(601_000 + (pick % 60_000))
  const { trouble } = history
  const now = shared.clock.monotonic()
  for (const { kind, tab } of network.inFlight) {
    // A load whose token expires on the way twice fails, until the tab is shown or focused again.
    trouble.ofNaps ||= tab.sleptAt < now && now - tab.sleptAt < 1000
    tab.sleptAt = now
    // The kit takes the age of a token that comes now for a difference of the clocks.
    trouble.ofClocks ||= kind === 'sign-in'
    trouble.ofSleep ||= kind === 'refresh'
    trouble.ofEnds ||= kind === 'refresh' || kind === 'end'
  }
}

const inEveryTab: Action = (simulation, _, pick) => {
  for (const tab of simulation.awake) askForToken(simulation, tab, pick)
}

async function inRefresh(simulation: Simulation, tab: SimulatedTab, pick: number, then: () => unknown) {
  await sleep(simulation, tab, pick)
  askForToken(simulation, tab, pick)
  await simulation.shared.clock.advance(pick % 200)
  then()
}

const freeze: Action = ({ history, awake }, tab) => {
  if (awake.length < 2 || tab.isDead) return
  history.log(`${tab.name} is frozen`)
  history.trouble.ofEnds = true
  history.freezes++
  tab.freeze()
}

/** Enough for another tab to take the lock from one that is frozen; hidden, so that the tabs do not poll. */
const waitForLocks: Action = async (simulation, tab, pick) => {
  inEveryTab(simulation, tab, pick)
  await pass(simulation, 24_000)
}

export async function pass({ tabs, shared }: Simulation, millis: number): Promise<void> {
  const visible = tabs.filter(({ isVisible }) => isVisible)
  for (const tab of visible) tab.show(false)
  await shared.clock.advance(millis)
  for (const tab of visible) tab.show(true)
}

export const actions: Readonly<Record<StepName, Action>> = {
  'sign in': signIn,
  switch: switchTo,
  'switch in every tab': (simulation, _, pick) => {
    for (const [index, tab] of simulation.awake.entries()) switchTo(simulation, tab, pick + index)
  },
  'switch during a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => switchTo(simulation, pickOf(simulation.awake, pick), pick)),
  'sign out of one': leave(pick => ({ userId: pickOf(people, pick).id })),
  'sign out of all': leave(() => 'all'),
  'second factor': ({ shared }, tab, pick) =>
    tab.start('second factor', async () => {
      // The clock waits for WebCrypto.
      const work = shared.clock.begin()
      const totp = await totpCode(secret, shared.clock.now()).finally(() => work.end())
      return tab.app.continueSignIn({ totp: pick % 7 === 0 ? '000000' : totp })
    }),
  'sign up anonymously': (_, tab) => tab.start('anonymous sign-up', () => tab.app.signUpAnonymously()),
  'sign out': signOut,
  'sign out during a load': (simulation, tab, pick) => {
    pickOf(reads, pick)(simulation, tab, pick)
    signOut(simulation, tab, pick)
  },
  'sign out during a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => signOut(simulation, pickOf([tab, ...simulation.awake], pick), pick)),
  write,
  'write twice': (simulation, tab, pick) => {
    write(simulation, tab, pick)
    write(simulation, tab, pick)
  },
  read: (simulation, tab, pick) => pickOf(reads, pick)(simulation, tab, pick),
  'ask for a token': askForToken,
  'ask in every tab': (simulation, tab, pick) => {
    sleep(simulation, tab, pick)
    inEveryTab(simulation, tab, pick)
  },
  'ask to sign in during a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => signIn(simulation, pickOf(simulation.awake, pick), 1)),
  'open a tab': simulation => {
    if (simulation.tabs.length < 3) simulation.open()
  },
  'hide or show': (_, tab) => tab.show(!tab.isVisible),
  sleep,
  'sign in elsewhere': simulation => simulation.setting.store === 'cookies' && simulation.signInElsewhere(people[0]!),
  'network fault': ({ network }, _, pick) => network.faults.push({ kind: 'any', fate: pickOf(fates, pick) }),
  'fault of a write': ({ network }, _, pick) => network.faults.push({ kind: 'write', fate: pickOf(fates, pick) }),
  'fault of a refresh': ({ network }, _, pick) =>
    network.faults.push({ kind: pickOf(['refresh', 'refresh', 'end'], pick), fate: pickOf(fates, pick >> 4) }),
  'mixed-up answers': ({ network }) =>
    network.faults.push(...Array(3).fill({ kind: 'load', fate: 'mixed up' } as const)),
  'store fails': simulation => {
    simulation.failures++
    simulation.history.trouble.ofStore = true
  },
  'between two cookies': (simulation, tab, pick) =>
    (simulation.afterCookie = () => pickOf([askForToken, load, write], pick)(simulation, tab, pick)),
  'dies between two cookies': simulation => {
    simulation.history.trouble.ofStore = true
    simulation.afterCookie = tab => {
      if (simulation.close(tab)) simulation.history.reach('a tab dies between two cookies')
    }
  },
  'kill a tab': (simulation, _, pick) => simulation.close(pickOf(simulation.tabs, pick)),
  freeze,
  'freeze in a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => freeze(simulation, tab, pick)),
  wake: ({ tabs }) => tabs.find(({ isFrozen }) => isFrozen)?.wake(),
  'wait for locks': waitForLocks,
  'set the clock': (simulation, _, pick) => {
    simulation.history.trouble.ofClocks = true
    simulation.skew += pickOf([3_600_000, -3_600_000, 300_000, -300_000], pick)
  },
  'end elsewhere': simulation => simulation.endElsewhere(),
}
