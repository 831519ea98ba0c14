import * as v from 'valibot'
import { email, items } from '../../core/wire'
import { callbackUrl } from '../callback-url'
import { TeamInvitation, teamInvitations$ } from './client-team-invitations'
import { isUnlisted } from '../unlisted'
import { mutation, only, patch } from '../../store/write/mutation'
import { query } from '../../store/query'
import { endpoint } from '../../transport/endpoint'
import { mailsSent } from '../emails/shape-mails-sent'

const list = endpoint('GET /team-invitations', {
  access: 'server',
  query: { teamId: v.string() },
  returns: items(TeamInvitation),
})

/**
 * The open invitations to any team.
 *
 * @example
 * const invitations = await server.teamInvitationsOf$({ teamId: 'team-1' }).get()
 */
export const teamInvitationsOf$ = query(list, { partOf: 'team' })

const showing = (teamId: string) => [only(teamInvitationsOf$, { teamId }), only(teamInvitations$, { teamId })]

/**
 * Mails an invitation to any team, as `sendTeamInvitation` does for a member with the permission.
 *
 * @example
 * const callbackUrl = 'https://app.example.com/handler/team-invitation'
 * await server.sendTeamInvitationById({ teamId: 'team-1', email: 'grace@example.com', callbackUrl })
 */
export const sendTeamInvitationById = mutation(
  endpoint('POST /team-invitations/send-code', {
    access: 'server',
    body: { teamId: v.string(), email: email(), callbackUrl: v.string() },
    returns: v.object({ id: v.string() }),
  }),
  {
    prepare: (kit, input: { readonly teamId: string; readonly email: string; readonly callbackUrl?: string }) => ({
      ...input,
      callbackUrl: callbackUrl(kit, 'teamInvitation', input.callbackUrl),
    }),
    refreshes: ({ teamId }) => [...showing(teamId), mailsSent],
  },
)

/**
 * Revokes an invitation to any team; one that is already gone counts as done.
 *
 * @example
 * await server.revokeTeamInvitationById({ teamId: 'team-1', invitationId: 'invitation-1' })
 */
export const revokeTeamInvitationById = mutation(
  endpoint('DELETE /team-invitations/{invitationId}', { access: 'server', query: { teamId: v.string() } }),
  {
    done: isUnlisted(list, 'invitationId'),
    refreshes: ({ teamId }) => showing(teamId),
    writes: ({ teamId, invitationId }) => [
      patch(teamInvitationsOf$, { teamId }, all => all.filter(({ id }) => id !== invitationId)),
    ],
  },
)
