import { coreOf, only, patch, type Kit, type Patch, type Target } from '../declare'
import { contactChannels$ } from '../contact-channels/client'
import { sessions$ } from '../sessions/client'
import { Write } from '../../store/write/write'
import { contactChannelsOf$ } from '../contact-channels/server'
import { mailsSent } from '../emails/shape'
import { sessionsOf$ } from '../sessions/server'
import {
  changedMembership,
  changedProjectPermission,
  changedTeam,
  changedTeamPermission,
  changedUser,
  wholeTeam,
  wholeUser,
} from '../server-touched'
import { teamMembersOf$ } from '../team-members/server'
import { teamAsItIs, teamGone } from '../teams/server-writes'
import { allTeams$ } from '../teams/server'
import { userById$ } from '../users/server'
import type { WebhookEvent } from './server-events'
import { given } from '../../errors/auth-error'

/** The changes in an event, and the stores that it makes stale. */
interface EventEffects {
  readonly writes: readonly Patch[]
  readonly refreshes: readonly Target[]
  /** No later event can contradict it, so the written stores need not load. */
  readonly isFinal: boolean
}

/**
 * Applies a webhook to the stores of this kit: an entity in the event shows at once, and watched stores that depend on it
 * load. Repeated deliveries arrive out of order, so the event's entity is replaced by that load; only deletions of users and
 * teams are final.
 *
 * Resolves when every watched store shows the change, or has to retry. Events of unknown kinds are ignored.
 *
 * @example
 * const event = await verifyWebhook(request, '…')
 * await applyWebhook(server, event)
 */
export async function applyWebhook(kit: Kit<'server'>, event: WebhookEvent): Promise<void> {
  const core = coreOf(kit)
  core.assertAlive()
  const told = toldBy(given(event))
  if (!told) return
  const { writes, refreshes, isFinal } = told
  const tell = (refreshes: readonly Target[], writes: readonly Patch[]) =>
    new Write(core, undefined, refreshes, []).succeed(core.cells.tick(), refreshes, writes)
  // A store that is written and refreshed together counts as loaded.
  await (isFinal ? tell(refreshes, writes) : Promise.all([tell([], writes), tell(refreshes, [])]))
}

function toldBy(event: WebhookEvent): EventEffects | null {
  switch (event.type) {
    case 'user.created':
    case 'user.updated': {
      const { data: user } = event
      const userId = user.id
      // The event does not name the changed fields: the primary address is a contact channel, and a new password ends
      // sessions.
      const lists = [only(contactChannelsOf$, { userId }), contactChannels$, only(sessionsOf$, { userId }), sessions$]
      // A new user gets a mail, and the default permissions of the project, of which no event tells.
      const shown = event.type === 'user.created' ? [mailsSent, ...wholeUser({ userId })] : changedUser({ userId })
      return stale([...shown, ...lists], [patch(userById$, { userId }, () => user)])
    }
    case 'user.deleted': {
      const { id: userId, teams } = event.data
      return {
        writes: [patch(userById$, { userId }, () => null)],
        refreshes: [...wholeUser({ userId }), ...teams.flatMap(({ id }) => changedMembership(id, userId))],
        isFinal: true,
      }
    }
    case 'team.created': {
      const { data: team } = event
      const added = patch(allTeams$, {}, all => [...all.filter(({ id }) => id !== team.id), team])
      // No event tells of the creator, who may be any user: of the membership, or of the permissions that go with it.
      return stale(wholeTeam(team.id), [added, ...teamAsItIs(team)])
    }
    case 'team.updated':
      return stale(changedTeam(event.data.id), teamAsItIs(event.data))
    case 'team.deleted': {
      const { id } = event.data
      return { writes: teamGone(id), refreshes: wholeTeam(id), isFinal: true }
    }
    case 'team_membership.created':
      return stale(changedMembership(event.data.teamId, event.data.userId))
    case 'team_membership.deleted': {
      const { teamId, userId } = event.data
      const left = patch(teamMembersOf$, { teamId }, all => all.filter(member => member.userId !== userId))
      // The team is no longer the user's selected one.
      return stale([...changedMembership(teamId, userId), ...changedUser({ userId })], [left])
    }
    case 'team_permission.created':
    case 'team_permission.deleted':
      return stale(changedTeamPermission({ ...event.data, permissionId: event.data.id }))
    case 'project_permission.created':
    case 'project_permission.deleted':
      return stale(changedProjectPermission({ ...event.data, permissionId: event.data.id }))
    case 'unknown':
      return null
  }
}

function stale(refreshes: readonly Target[], writes: readonly Patch[] = []): EventEffects {
  return { writes, refreshes, isFinal: false }
}
