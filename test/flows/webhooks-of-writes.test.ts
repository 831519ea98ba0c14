import { everyWrite, onBothWires } from './every-sample'
import { clock, inTime } from './stage'

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

// Promise: webhooks-as-hosted
it.each(onBothWires(everyWrite))(
  'the events of a write are exactly those of its endpoint, at %s: %s',
  async (wire, _, { name, begin }) => {
    const told: string[] = []
    const { stage, prepare, write, dispose } = await begin(wire)
    await prepare()
    stage.platform.webhooks$.subscribe(({ type }) => told.push(type))
    await inTime(write())
    await clock.advance(0)
    await stage.platform.webhooks.idle()
    expect(told).toEqual(events[name] ?? [])
    dispose()
  },
)
