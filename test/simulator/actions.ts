import { endImpersonation, impersonate, switchAccount, type AccountSwitch, type ClientApp } from 'rxauth'
import { totpCode } from '../../src/core/totp'
import { readAccessToken } from '../../src/transport/access-token'
import { secret } from '../sign-in/flow-world'
import { credentialsOf } from '../tabs'
import { fates } from './network'
import { people, type Simulation } from './simulation'
import { watches, type StepName } from './steps'
import type { SimulatedTab } from './tab'
import type { Part } from './truth'

type Action = (simulation: Simulation, tab: SimulatedTab, pick: number) => unknown

const pickOf = <T>(all: readonly T[], pick: number): T => all[pick % all.length]!

/** Signs in with the password, or with a wrong one. */
const signIn: Action = (_, tab, pick) => {
  const { email, password } = credentialsOf(pickOf([...people, people[0]!], pick))
  const isWrong = pick % 13 === 0
  tab.start(
    `sign-in of ${email}`,
    () => tab.app.signInWithPassword({ email, password: isWrong ? `${password}!` : password }),
    result => result.ok && tab.begins(result.value.userId),
  )
}

const signOut: (everywhere: boolean) => Action =
  everywhere =>
  ({ history, shared }, tab) => {
    const { known } = tab
    const sessions = history.signsOut(known)
    // It ends the other sessions of the user first.
    for (const session of everywhere ? history.sessions.values() : [])
      session.isOver ||= sessions.some(({ userId }) => userId === session.userId)
    history.leaves(tab, known)
    const since = shared.clock.monotonic()
    tab.start(
      `sign-out${everywhere ? ' everywhere' : ''}`,
      () => tab.app.signOut({ everywhere }),
      () => {
        for (const session of sessions) {
          history.require(session.leftAt !== null || !history.isSync, 'a sign-out empties the store', tab.name)
          // A store that answers later may have another one by then, which ends in its place, unless the tab knew of it.
          const isMissed = session.leftFor && session !== known && !history.isSync
          if ((session.leftAt ?? -1) >= since && !isMissed) session.isOut = true
        }
      },
      () => (history.trouble.ofStore ||= !everywhere),
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

/** Acts as another person, with a session that a server has created, and in one of many cases has ended again. */
const act: Action = async (simulation, tab, pick) => {
  const { history } = simulation
  const { id: userId, email } = pickOf(people, pick)
  const tokens = await simulation.impersonationOf(userId)
  if (pick % 11 === 0) await simulation.endElsewhere(history.of(tokens))
  tab.start(
    `impersonation of ${email}`,
    () => impersonate(tab.app, tokens),
    result => history.reach(result.ok ? 'a person acts as another' : `an impersonation is refused: ${result.reason}`),
  )
}

export const stopActing = ({ history }: Simulation, tab: SimulatedTab, done?: (back: AccountSwitch) => void): void => {
  const acting = history.present
  tab.start(
    'end of the impersonation',
    () => {
      // Where it can make no person active, it signs out.
      for (const session of history.sessions.values())
        if (session.isActing && session.leftAt === null) session.isOver = true
      return endImpersonation(tab.app)
    },
    result => {
      if (acting?.isActing) history.reach(`an impersonation ends: ${result.ok ? 'ok' : result.reason}`)
      done?.(result)
    },
  )
}

const askForToken: Action = ({ history, shared }, tab) =>
  tab.start(
    'token',
    () => tab.app.accessToken(),
    (token, since) => {
      const claims = token === null ? null : readAccessToken(token)
      if (!claims) return
      tab.brings(claims.userId, 'accessToken()', since)
      const isFresh = claims.expiresAtMillis! > shared.clock.now() || history.trouble.ofClocks
      history.require(isFresh, 'no expired token is given out', tab.name)
    },
  )

const load: Action = (_, tab) =>
  tab.start(
    'load of the user',
    () => tab.app.user$.refresh(),
    (user, since) => tab.brings(user?.id, 'user$.refresh()', since),
  )

const reads: Action[] = [
  load,
  ({ history }, tab) =>
    tab.start(
      'load of the teams',
      () => tab.app.teams$.refresh(),
      (teams, since) => tab.brings(history.ownerOf(teams[0]?.id ?? ''), 'teams$.refresh()', since),
    ),
  ({ history }, tab) =>
    tab.start(
      'permissions',
      () => tab.app.teamPermissions$({}).get({ maxAgeMillis: 0 }),
      (all, since) => tab.brings(history.ownerOf(all[0]?.teamId ?? ''), 'teamPermissions$.get()', since),
    ),
  (_, tab) =>
    tab.start(
      'user',
      () => tab.app.user$.get(),
      (user, since) => tab.brings(user?.id, 'user$.get()', since),
    ),
]

/** By each user as whom it is meant. */
const markOf = (simulation: Simulation, writer: string) => `by ${writer} #${++simulation.writes}`

const write: Action = (simulation, tab, pick) => {
  const { app, writer } = tab
  if (!writer) return
  const mark = markOf(simulation, writer)
  const { snapshot } = app.user$
  // Of an anonymous user it shows nothing.
  const isReady = tab.watched.includes('user') && snapshot.status === 'ready' && snapshot.value !== null
  const { signal } = new AbortController()
  if (pick % 3 > 0)
    tab.write(`name of ${writer}`, mark, isReady, () => app.updateUser({ displayName: mark }, { signal }))
  else
    tab.write(`note of ${writer}`, mark, isReady, () => app.updateUser({ clientMetadata: { note: mark } }, { signal }))
}

type Id = { readonly id: string } | undefined
/** What a user may have several of; `mark` is a name or a part of an address. */
interface Thing {
  readonly part: Part
  readonly store: 'teams$' | 'userApiKeys$' | 'contactChannels$'
  create(app: ClientApp, mark: string): Promise<Id>
  rename?(app: ClientApp, id: string, mark: string): Promise<unknown>
  end(app: ClientApp, id: string): Promise<unknown>
}

const addressOf = (mark: string) => `${mark.replace(/[ #]+/g, '.')}@example.com`
const callbackUrl = 'https://app.example.com/'

const things: Readonly<Record<string, Thing>> = {
  teams: {
    ...{ part: 'teams', store: 'teams$' },
    create: (app, displayName) => app.createTeam({ displayName }),
    rename: (app, teamId, displayName) => app.updateTeam({ teamId, displayName }),
    end: (app, teamId) => app.deleteTeam({ teamId }),
  },
  'user-api-keys': {
    ...{ part: 'keys', store: 'userApiKeys$' },
    create: (app, description) => app.createUserApiKey({ description }),
    rename: (app, apiKeyId, description) => app.updateUserApiKey({ apiKeyId, description }),
    end: (app, apiKeyId) => app.revokeUserApiKey({ apiKeyId }),
  },
  'contact-channels': {
    ...{ part: 'channels', store: 'contactChannels$' },
    async create(app, mark) {
      const result = await app.createContactChannel({ value: addressOf(mark) })
      return result.ok ? result.value : undefined
    },
    end: (app, contactChannelId) => app.deleteContactChannel({ contactChannelId }),
  },
}

/** Creates, renames or deletes what the user has, or sends an invitation to a team. */
const changeThings: (kinds: readonly string[]) => Action = kinds => (simulation, tab, pick) => {
  const { app, writer } = tab
  const { history } = simulation
  if (!writer) return
  const mark = markOf(simulation, writer)
  const kind = pickOf(kinds, pick)
  const { part, store, create, rename, end } = things[kind]!
  const own = history.made.filter(one => one.userId === writer && one.kind === kind)
  const { id } = pickOf([...own, { id: undefined }], pick >> 4)
  const has = (named: string) => {
    if (!tab.watched.includes(part)) return undefined
    const { snapshot } = app[store]
    return snapshot.status === 'ready' ? snapshot.value.some(one => one.id === named) : undefined
  }
  /** When the call has resolved, the list has it, or has it no more. */
  const lists = (named: string | undefined, is: boolean) => {
    const { ofFaults, ofSleep, ofClocks } = history.trouble
    if (
      !named ||
      // To look at an app that nothing watches has it read its store.
      !tab.watched.includes(part) ||
      (is && history.ending.has(named)) ||
      tab.userId !== writer ||
      !history.isSync ||
      ofFaults ||
      ofSleep ||
      ofClocks
    )
      return
    const { status } = app.auth$.value
    // Until a tab has heard who signed in, its lists may be those of an anonymous user, who is signed out in them.
    const isShown = status === 'signed-in' ? is : status === 'anonymous' ? false : undefined
    if (isShown === undefined) return
    history.reach('a list is looked at after a write')
    history.require(
      (has(named) ?? isShown) === isShown,
      'a list shows a write when its call resolves',
      `${tab.name}: ${part}`,
    )
  }
  const way = (pick >> 8) % 4
  if (!id)
    tab.start(
      `new of ${kind}`,
      () => create(app, mark),
      made => lists(made?.id, true),
    )
  else if (way === 0 || (way > 1 && !rename)) {
    history.ending.add(id)
    tab.start(
      `end of ${kind}`,
      () => end(app, id),
      // A key that is revoked stays in the list.
      () => kind !== 'user-api-keys' && lists(id, false),
    )
  } else if (way === 1 && kind === 'teams')
    tab.start('invitation', () => app.sendTeamInvitation({ teamId: id, email: addressOf(mark), callbackUrl }))
  else if (rename) tab.write(`name of ${id}`, mark, has(id) === true, () => rename(app, id, mark))
}

/** The digits of now. */
const codeAt = ({ shared }: Simulation) => totpCode(secret, shared.clock.now())

/** A list of the user's sessions, the end of another one, and a second factor that comes or goes. */
const changeSecurity: Action = (simulation, tab, pick) => {
  const { app, writer } = tab
  const { history } = simulation
  const other = [...history.sessions.values()].find(
    session => session.userId === writer && session !== history.present && !session.isDead,
  )
  if (pick % 3 === 0)
    tab.start(
      'sessions',
      () => app.sessions$.refresh(),
      (all, since) => tab.brings(all[0]?.userId, 'sessions$.refresh()', since),
    )
  else if (pick % 3 === 1 && other) {
    other.isOver = true
    tab.start('end of another session', () => app.revokeSession({ sessionId: other.id }))
  } else if (pick % 2 === 0) tab.start('no second factor', () => app.disableTotp())
  else tab.start('new second factor', async () => app.enableTotp({ secret, totp: await codeAt(simulation) }))
}

/** The machine sleeps until the access tokens have expired. */
const sleep: Action = ({ history, network, shared }, _, pick) => {
  shared.clock.shiftWall(601_000 + (pick % 60_000))
  const { trouble } = history
  const now = shared.clock.monotonic()
  for (const { kind, tab } of network.inFlight) {
    // A load whose token expires on the way twice fails, until the tab is shown or focused again.
    trouble.ofNaps ||= trouble.ofClocks || (tab.sleptAt < now && now - tab.sleptAt < 1000)
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
  await then()
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
  impersonate: act,
  'impersonate during a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => act(simulation, pickOf(simulation.awake, pick), pick)),
  'end the impersonation': (simulation, tab) => stopActing(simulation, tab),
  'end the impersonation in every tab': simulation => {
    for (const tab of simulation.awake) stopActing(simulation, tab)
  },
  'sign out of one': leave(pick => ({ userId: pickOf(people, pick).id })),
  'sign out of all': leave(() => 'all'),
  'second factor': (simulation, tab, pick) =>
    tab.start(
      'second factor',
      async () => {
        const totp = await codeAt(simulation)
        return tab.app.continueSignIn({ totp: pick % 7 === 0 ? '000000' : totp })
      },
      result => result.ok && tab.begins(result.value.userId),
    ),
  'sign up anonymously': (_, tab) =>
    tab.start(
      'anonymous sign-up',
      () => tab.app.signUpAnonymously(),
      ({ userId }) => tab.begins(userId),
    ),
  'sign out': signOut(false),
  'sign out during a load': (simulation, tab, pick) => {
    pickOf(reads, pick)(simulation, tab, pick)
    signOut(false)(simulation, tab, pick)
  },
  'sign out during a refresh': (simulation, tab, pick) =>
    inRefresh(simulation, tab, pick, () => signOut(false)(simulation, pickOf([tab, ...simulation.awake], pick), pick)),
  write,
  'write twice': (simulation, tab, pick) => {
    write(simulation, tab, pick)
    write(simulation, tab, pick >> 2)
  },
  team: changeThings(['teams']),
  'own things': (simulation, tab, pick) =>
    pick % 4 === 0
      ? changeSecurity(simulation, tab, pick >> 4)
      : changeThings(['user-api-keys', 'contact-channels'])(simulation, tab, pick >> 4),
  'sign out everywhere': signOut(true),
  watch: ({ history }, tab, pick) => {
    const now = pickOf(watches, pick)
    if (now !== 'nothing' && tab.watches === 'nothing') history.reach('a tab watches again')
    tab.watch(now)
    if (pick % 4 !== 0) return
    tab.show(false)
    tab.show(true)
  },
  'read twice': async (simulation, tab, pick) => {
    const read = pickOf(reads, pick)
    read(simulation, tab, pick)
    await simulation.shared.clock.advance(pick % 280)
    read(simulation, tab, pick)
  },
  'dispose of a tab': async (simulation, tab) => {
    if (!simulation.close(tab, true)) return
    simulation.history.reach('an app is disposed of')
    await simulation.shared.clock.advance(0)
    tab.judgeDisposed()
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
  'end elsewhere': simulation => simulation.endElsewhere(simulation.history.present),
}
