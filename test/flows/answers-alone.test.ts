import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kit } from 'rxauth'
import { ada } from '../world'
import { adminWrites } from './admin-writes'
import { clientWrites } from './client-writes'
import { everyStore, freshly, shortcoming, shownBy } from './every-store'
import type { Shown, Watched } from './every-store'
import { serverWrites } from './server-writes'
import { adminStage, clientStage, clock, elseId, inTime, labId, opsId, serverStage } from './stage'
import { untilNewDigits, valuesOf } from './stage'
import type { Stage, Write } from './stage'

/** The stores that each write updates from its answer alone, with their arguments. */
type Told = Readonly<Record<string, readonly string[]>>

const clientTold: Told = {
  updateUser: ['anyUser$', 'user$'],
  disableTotp: ['anyUser$', 'user$'],
  revokeSession: ['sessions$'],
  createTeam: ['teams$'],
  updateTeam: ['anyUser$', 'team$ ops', 'teams$', 'user$'],
  deleteTeam: [
    'anyUser$',
    'team$ ops',
    'teamApiKey$ teamKey ops',
    'teamApiKeys$ ops',
    'teamInvitations$ ops',
    'teams$',
    'user$',
  ],
  selectTeam: ['anyUser$', 'user$'],
  'selectTeam, none': ['anyUser$', 'user$'],
  leaveTeam: [
    'anyUser$',
    'team$ ops',
    'teamApiKey$ teamKey ops',
    'teamApiKeys$ ops',
    'teamInvitations$ ops',
    'teams$',
    'user$',
  ],
  removeTeamMember: ['teamMemberProfile$ ops grace', 'teamMembers$ ops'],
  'removeTeamMember, oneself': [
    'anyUser$',
    'team$ ops',
    'teamApiKey$ teamKey ops',
    'teamApiKeys$ ops',
    'teamInvitations$ ops',
    'teams$',
    'user$',
  ],
  updateOwnTeamProfile: ['ownTeamProfile$ ops', 'teamMemberProfile$ ops ada', 'teamMembers$ ops'],
  revokeTeamInvitation: ['teamInvitations$ ops'],
  updateOAuthProvider: ['oauthProviders$'],
  deleteOAuthProvider: ['oauthProviders$'],
  createUserApiKey: ['userApiKeys$'],
  updateUserApiKey: ['userApiKey$ userKey', 'userApiKeys$'],
  revokeUserApiKey: ['userApiKey$ userKey', 'userApiKeys$'],
  createTeamApiKey: ['teamApiKeys$ ops'],
  updateTeamApiKey: ['teamApiKey$ teamKey ops', 'teamApiKeys$ ops'],
  revokeTeamApiKey: ['teamApiKey$ teamKey ops', 'teamApiKeys$ ops'],
  createContactChannel: ['contactChannels$'],
  updateContactChannel: ['contactChannels$'],
  deleteContactChannel: ['contactChannels$'],
  updateNotificationPreference: ['notificationPreferences$'],
  createOwnedProject: ['ownedProjects$'],
}

const serverTold: Told = {
  updateUserById: ['userById$ ada'],
  'updateUserById, the address': ['userById$ ada'],
  'updateUserById, the selected team': ['userById$ ada'],
  deleteContactChannelById: ['contactChannelsOf$ ada'],
  revokeSessionById: ['sessionsOf$ ada'],
  updateNotificationPreferenceById: ['notificationPreferencesOf$ ada'],
  createTeamById: ['allTeams$'],
  'createTeamById, without a creator': ['allTeams$'],
  updateTeamById: ['allTeams$', 'teamById$ ops', 'teamsOf$ ada', 'teamsOf$ grace'],
  deleteTeamById: [
    'allTeams$',
    'teamApiKeyById$ teamKey ops',
    'teamApiKeysOf$ ops',
    'teamById$ ops',
    'teamInvitationsOf$ ops',
    'teamMembersOf$ ops',
    'teamsOf$ ada',
    'teamsOf$ grace',
  ],
  removeTeamMemberById: ['teamMemberProfileById$ ops ada', 'teamMembersOf$ ops'],
  'removeTeamMemberById, of another user': ['teamMemberProfileById$ ops grace', 'teamMembersOf$ ops'],
  updateTeamMemberProfileById: ['teamMemberProfileById$ ops ada'],
  revokeTeamInvitationById: ['teamInvitationsOf$ ops'],
  deleteOAuthProviderById: ['oauthProvidersOf$ ada'],
  pauseEmail: ['outboxEmail$ email'],
  resumeEmail: ['outboxEmail$ email'],
  cancelEmail: ['outboxEmail$ email'],
  retryEmail: ['outboxEmail$ email'],
  updateOutboxEmail: ['outboxEmail$ email'],
  createUserApiKeyById: ['userApiKeysOf$ ada'],
  updateUserApiKeyById: ['userApiKeyById$ userKey', 'userApiKeysOf$ ada'],
  revokeUserApiKeyById: ['userApiKeyById$ userKey', 'userApiKeysOf$ ada'],
  createTeamApiKeyById: ['teamApiKeysOf$ ops'],
  updateTeamApiKeyById: ['teamApiKeyById$ teamKey ops', 'teamApiKeysOf$ ops'],
  revokeTeamApiKeyById: ['teamApiKeyById$ teamKey ops', 'teamApiKeysOf$ ops'],
}

const adminTold: Told = {
  updateProject: ['adminProject$'],
  createInternalApiKey: ['internalApiKeys$'],
  updateInternalApiKey: ['internalApiKeys$'],
  revokeInternalApiKey: ['internalApiKeys$'],
  createTeamPermissionDefinition: ['teamPermissionDefinitions$'],
  'updateTeamPermissionDefinition, what it contains': ['teamPermissionDefinitions$'],
  'updateTeamPermissionDefinition, its id': ['teamPermissionDefinitions$'],
  deleteTeamPermissionDefinition: ['teamPermissionDefinitions$'],
  createProjectPermissionDefinition: ['projectPermissionDefinitions$'],
  'updateProjectPermissionDefinition, what it contains': ['projectPermissionDefinitions$'],
  'updateProjectPermissionDefinition, its id': ['projectPermissionDefinitions$'],
  deleteProjectPermissionDefinition: ['projectPermissionDefinitions$'],
  updateEmailTemplate: ['emailTemplate$ magic_link', 'emailTemplates$'],
  updateTsxEmailTemplate: ['emailTemplates$'],
  deleteTsxEmailTemplate: ['emailTemplates$'],
  createEmailTheme: ['emailThemes$'],
  updateEmailTheme: ['emailTheme$ theme'],
  deleteEmailTheme: ['emailTheme$ theme', 'emailThemes$'],
  updateEmailDraft: ['emailDraft$ draft', 'emailDrafts$'],
  deleteEmailDraft: ['emailDraft$ draft', 'emailDrafts$'],
}

const asOf = ({ as }: { readonly as?: string | null }) => (as === undefined ? ada.email : as)

describe('before any load, stores show what the answer contains, and nothing that a load would take back', () => {
  it.each(Object.entries(clientTold))('%s', async (name, told) => {
    const tried = clientWrites[name]!
    expect(await toldBy(tried, await clientStage(asOf(tried), tried.wire), 'client')).toEqual(told)
  })

  it.each(Object.entries(serverTold))('%s', async (name, told) => {
    const tried = serverWrites[name]!
    expect(await toldBy(tried, await serverStage(asOf(tried), tried.wire), 'server')).toEqual(told)
  })

  it.each(Object.entries(adminTold))('%s', async (name, told) => {
    const tried = adminWrites[name]!
    expect(await toldBy(tried, await adminStage(tried.wire), 'admin')).toEqual(told)
  })
})

it('every write that declares `writes` is tested above', () => {
  const tried = Object.keys({ ...clientTold, ...serverTold, ...adminTold }).map(name => name.split(',')[0]!)
  expect(declared().filter(name => !tried.includes(name))).toEqual([])
  expect(declared().length).toBeGreaterThan(40)
})

/** The mutations that declare `writes`. */
function declared(): string[] {
  const folder = join(__dirname, '../../src/entities')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  return files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split(/^export const /m)
      .filter(text => /^\w+ = mutation\(/.test(text) && /^ +(\{.* )?writes(: |,)/m.test(text))
      .map(text => /^\w+/.exec(text)![0]),
  )
}

/** The stores that show what the write has changed while every load is held back. */
async function toldBy<A extends Kit>(
  { prepare, write }: Write<A>,
  stage: Stage<A>,
  level: 'client' | 'server' | 'admin',
): Promise<string[]> {
  const { app, platform, ids } = stage
  const stores = everyStore(level, valuesOf(stage))
  const shown = new Map<Watched, Shown>()
  for (const each of stores) each.open(app).snapshot$.subscribe(snapshot => shown.set(each, shownBy(snapshot)))
  await clock.advance(1000)
  const prepared = (prepare && (await inTime(prepare(stage)))) as never
  await clock.advance(untilNewDigits())
  const before = new Map(shown)
  stage.holdLoads()
  // The write waits for the stores that it refreshes.
  void write(stage, prepared).catch(() => undefined)
  await clock.advance(2000)
  const after = new Map(shown)
  const fresh = stage.fresh()
  const loads = stores.map(async each => [each, await freshly(each.open(fresh))] as const)
  const loaded = new Map<Watched, Shown>(await inTime(Promise.all(loads)))
  const isShown = (shown: ReadonlyMap<Watched, Shown>, each: Watched) =>
    shortcoming(shown.get(each)!, loaded.get(each)!) === null
  const names = Object.entries({ ...ids, ops: opsId, lab: labId, else: elseId })
  const labelOf = ({ name }: Watched) => {
    const [store = '', args = '{}'] = name.split(/ (.*)/)
    const values = Object.values(JSON.parse(args) as object).map(
      value => names.find(([, id]) => id === value)?.[0] ?? String(value),
    )
    return [store, ...values].join(' ')
  }
  app.dispose()
  fresh.dispose()
  platform.dispose()
  // A value that is right before the write and wrong after it would be shown and taken back.
  expect(stores.filter(each => isShown(before, each) && !isShown(after, each)).map(labelOf)).toEqual([])
  return stores.filter(each => !isShown(before, each) && isShown(after, each)).map(labelOf)
}
