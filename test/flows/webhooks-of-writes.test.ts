import type { Kit } from 'rxauth'
import { ada } from '../world'
import { adminWrites, clientWrites, mailings, serverWrites } from './every-sample'
import { adminStage, clientStage, clock, inTime, onBothWires, serverStage } from './stage'
import type { Stage, Write } from './stage'

const [changed, joined, left] = ['user.updated', 'team_membership.created', 'team_membership.deleted']
/** The project gives each new user a team, and Ada is in two others. */
const born = ['team.created', 'user.created']
const accepted = [joined, 'team_permission.created']
const gone = [left, left, left, 'user.deleted']

/** The events of each write, in order; a write that is not here has none. */
const events: Readonly<Record<string, readonly (string | undefined)[]>> = {
  updateUser: [changed],
  changePrimaryEmail: [changed],
  'changePrimaryEmail, an address of the user': [changed],
  enableTotp: [changed],
  disableTotp: [changed],
  selectTeam: [changed],
  'selectTeam, none': [changed],
  deleteUser: gone,
  signUpWithPassword: born,
  signUpAnonymously: born,
  createTeam: ['team.created'],
  updateTeam: ['team.updated'],
  deleteTeam: ['team.deleted'],
  leaveTeam: [left],
  removeTeamMember: [left],
  'removeTeamMember, oneself': [left],
  acceptTeamInvitation: accepted,
  'acceptTeamInvitation, of 2026': accepted,
  acceptOwnTeamInvitation: accepted,
  acceptOwnTeamInvitationById: accepted,
  createUser: born,
  updateUserById: [changed],
  'updateUserById, the address': [changed],
  'updateUserById, the password': [changed],
  'updateUserById, the selected team': [changed],
  // Grace is in one more team.
  deleteUserById: [left, ...gone],
  'deleteUserById, oneself': gone,
  updateOwnUser: [changed],
  'updateOwnUser, the address': [changed],
  'updateOwnUser, the selected team': [changed],
  deleteOwnUser: gone,
  createTeamById: ['team.created'],
  'createTeamById, without a creator': ['team.created'],
  updateTeamById: ['team.updated'],
  deleteTeamById: ['team.deleted'],
  addTeamMemberById: [joined, 'team_permission.created'],
  removeTeamMemberById: [left],
  'removeTeamMemberById, of another user': [left],
  grantTeamPermission: ['team_permission.created'],
  revokeTeamPermission: ['team_permission.deleted'],
  grantProjectPermission: ['project_permission.created'],
  revokeProjectPermission: ['project_permission.deleted'],
}

describe('the events of a write are exactly those of its endpoint', () => {
  // Promise: webhooks-as-hosted
  it.each(onBothWires(clientWrites))('at %s: %s of a client', async (wire, name) => {
    const { as = ada.email } = clientWrites[name]!
    await expectEvents(name, clientWrites[name]!, await clientStage(as, wire))
  })

  const byServers = { ...serverWrites, ...mailings }
  // Promise: webhooks-as-hosted
  it.each(onBothWires(byServers))('at %s: %s of a server', async (wire, name) => {
    await expectEvents(name, byServers[name]!, await serverStage(ada.email, wire))
  })

  // Promise: webhooks-as-hosted
  it.each(onBothWires(adminWrites))('at %s: %s of an admin', async (wire, name) => {
    await expectEvents(name, adminWrites[name]!, await adminStage(wire))
  })
})

async function expectEvents<A extends Kit>(name: string, { prepare, write }: Write<A>, stage: Stage<A>): Promise<void> {
  const told: string[] = []
  const prepared = (prepare && (await inTime(prepare(stage)))) as never
  stage.platform.webhooks$.subscribe(({ type }) => told.push(type))
  await inTime(write(stage, prepared))
  await clock.advance(0)
  await stage.platform.webhooks.idle()
  expect(told).toEqual(events[name] ?? [])
  stage.app.dispose()
  stage.platform.dispose()
}
