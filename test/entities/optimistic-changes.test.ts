import type { Store } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../world'
import { eve, labId, opsId, watch } from './teams/team-world'

/** Ada in two teams, with a second address, another session and an API key. The write after `holdNext` is on its way for five seconds. */
async function stage() {
  const one = await world({
    platform: {
      seed: {
        project: { config: { allowUserApiKeys: true, allowTeamApiKeys: true } },
        users: [ada, grace, eve],
        teams: [
          { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] },
          { id: labId, displayName: 'Lab', members: [ada] },
        ],
      },
    },
  })
  const { settled, clock, tokensOf } = one
  let isHeld = false
  const app = one.newApp({
    tokens: await tokensOf(ada),
    // A fault delays only the answer of a write; here the write itself must not happen before the five seconds end.
    fetch: async (input, init) => {
      if (isHeld && init?.method !== 'GET') {
        isHeld = false
        await new Promise<void>(resolve => clock.setTimeout(resolve, 5000))
      }
      return one.platform.options.fetch(input, init)
    },
  })
  const server = createServerApp(one.platform.serverOptions)
  const [adaId = '', graceId = '', eveId = ''] = (await settled(server.users$().get())).items.map(({ id }) => id)
  const { id: apiKeyId } = await settled(app.createUserApiKey({ description: 'ci' }))
  await settled(server.createTeamApiKeyById({ teamId: opsId, description: 'ci' }))
  const { id: contactChannelId } = await settled(
    server.createContactChannelById({ userId: adaId, value: 'home@example.com' }),
  ).then(added => (added.ok ? added.value : Promise.reject(added.error)))
  // A team unknown to the kit is selected with the platform's answer, not before.
  app.teams$.subscribe()
  await clock.advance(1000)
  const holdNext = () => {
    isHeld = true
  }
  return { ...one, app, holdNext, server, adaId, graceId, eveId, apiKeyId, contactChannelId }
}
type Stage = Awaited<ReturnType<typeof stage>>

interface Change {
  readonly write: (stage: Stage) => Promise<unknown>
  /** What shows the change, and another one. */
  readonly shown: (
    stage: Stage,
  ) => readonly [Store<unknown>, (value: never) => readonly [mine: boolean, other: boolean]]
  /** What another does meanwhile. */
  readonly meanwhile: (stage: Stage) => Promise<unknown>
}

/** Gives the predicates the type of the store's value. */
function showing<T>(store: Store<T>, look: (value: T) => readonly [mine: boolean, other: boolean]) {
  return [store, look] as const
}

const addAddress = ({ server, adaId }: Stage) =>
  server.createContactChannelById({ userId: adaId, value: 'office@example.com' })
const addEve = ({ server, eveId }: Stage) => server.addTeamMemberById({ teamId: opsId, userId: eveId })
const renameLab = ({ server }: Stage) => server.updateTeamById({ teamId: labId, displayName: 'Laboratory' })

const changes: Readonly<Record<string, Change>> = {
  updateUser: {
    write: ({ app }) => app.updateUser({ displayName: 'Countess' }),
    shown: ({ app }) =>
      showing(app.user$, user => [user?.displayName === 'Countess', user?.primaryEmailVerified === true]),
    meanwhile: ({ server, adaId }) => server.updateUserById({ userId: adaId, primaryEmailVerified: true }),
  },
  selectTeam: {
    write: ({ app }) => app.selectTeam({ teamId: opsId }),
    shown: ({ app }) =>
      showing(app.user$, user => [
        user?.selectedTeamId === opsId && user.selectedTeam?.displayName === 'Ops',
        user?.displayName === 'Countess',
      ]),
    meanwhile: ({ server, adaId }) => server.updateUserById({ userId: adaId, displayName: 'Countess' }),
  },
  updateTeam: {
    write: ({ app }) => app.updateTeam({ teamId: opsId, displayName: 'Operations' }),
    shown: ({ app }) =>
      showing(app.teams$, all => [
        all.some(({ displayName }) => displayName === 'Operations'),
        all.some(({ displayName }) => displayName === 'Laboratory'),
      ]),
    meanwhile: renameLab,
  },
  leaveTeam: {
    write: ({ app }) => app.leaveTeam({ teamId: opsId }),
    shown: ({ app }) =>
      showing(app.teams$, all => [
        all.every(({ id }) => id !== opsId),
        all.some(({ displayName }) => displayName === 'Laboratory'),
      ]),
    meanwhile: renameLab,
  },
  removeTeamMember: {
    write: ({ app, graceId }) => app.removeTeamMember({ teamId: opsId, userId: graceId }),
    shown: ({ app, graceId, eveId }) =>
      showing(app.teamMembers$({ teamId: opsId }), all => [
        all.every(({ userId }) => userId !== graceId),
        all.some(({ userId }) => userId === eveId),
      ]),
    meanwhile: addEve,
  },
  updateOwnTeamProfile: {
    write: ({ app }) => app.updateOwnTeamProfile({ teamId: opsId, displayName: 'Admiral' }),
    shown: ({ app, eveId }) =>
      showing(app.teamMembers$({ teamId: opsId }), all => [
        all.some(({ displayName }) => displayName === 'Admiral'),
        all.some(({ userId }) => userId === eveId),
      ]),
    meanwhile: addEve,
  },
  revokeSession: {
    write: async ({ app }) => {
      const other = (await app.sessions$.get()).find(({ isCurrentSession }) => !isCurrentSession)
      return app.revokeSession({ sessionId: other!.id })
    },
    // The present session, with the revoked one or without, then with the one that has begun meanwhile.
    shown: ({ app, clock }) => {
      const begun = clock.now()
      return showing(app.sessions$, all => [
        all.every(({ isCurrentSession, createdAt }) => isCurrentSession || createdAt.getTime() >= begun),
        all.some(({ createdAt }) => createdAt.getTime() >= begun),
      ])
    },
    meanwhile: ({ tokensOf }) => tokensOf(ada),
  },
  updateUserApiKey: {
    write: ({ app, apiKeyId }) => app.updateUserApiKey({ apiKeyId, description: 'cd' }),
    shown: ({ app }) =>
      showing(app.userApiKeys$, all => [
        all.some(({ description }) => description === 'cd'),
        all.some(({ description }) => description === 'other'),
      ]),
    meanwhile: ({ server, adaId }) => server.createUserApiKeyById({ userId: adaId, description: 'other' }),
  },
  updateTeamApiKey: {
    write: async ({ app }) => {
      const [key] = await app.teamApiKeys$({ teamId: opsId }).get()
      return app.updateTeamApiKey({ teamId: opsId, apiKeyId: key!.id, description: 'cd' })
    },
    shown: ({ app }) =>
      showing(app.teamApiKeys$({ teamId: opsId }), all => [
        all.some(({ description }) => description === 'cd'),
        all.some(({ description }) => description === 'other'),
      ]),
    meanwhile: ({ server }) => server.createTeamApiKeyById({ teamId: opsId, description: 'other' }),
  },
  updateContactChannel: {
    write: ({ app, contactChannelId }) => app.updateContactChannel({ contactChannelId, isPrimary: true }),
    shown: ({ app, contactChannelId }) =>
      showing(app.contactChannels$, all => [
        all.every(({ id, isPrimary }) => isPrimary === (id === contactChannelId)),
        all.some(({ value }) => value === 'office@example.com'),
      ]),
    meanwhile: addAddress,
  },
  deleteContactChannel: {
    write: ({ app, contactChannelId }) => app.deleteContactChannel({ contactChannelId }),
    shown: ({ app, contactChannelId }) =>
      showing(app.contactChannels$, all => [
        all.every(({ id }) => id !== contactChannelId),
        all.some(({ value }) => value === 'office@example.com'),
      ]),
    meanwhile: addAddress,
  },
}

describe('while its answer is awaited, a change stays on top of refreshed values', () => {
  it.each(Object.entries(changes))('%s', async (_, { write, shown, meanwhile }) => {
    const one = await stage()
    const [store, look] = shown(one)
    const seen = await watch(one, store, value => look(value as never))
    expect(seen.at(-1)).toEqual([false, false])
    one.holdNext()
    const written = write(one)
    await one.clock.advance(0)
    expect(seen.at(-1)).toEqual([true, false])
    const before = seen.length
    await one.settled(meanwhile(one))
    const refreshed = store.refresh()
    await one.clock.advance(2000)
    await one.settled(refreshed)
    expect([seen.at(-1), store.snapshot]).toMatchObject([[true, true], { unconfirmed: 1 }])
    await one.inTime(written)
    expect([seen.at(-1), store.snapshot]).toMatchObject([[true, true], { unconfirmed: 0 }])
    expect(seen.slice(before).filter(([mine]) => !mine)).toEqual([])
  })
})
