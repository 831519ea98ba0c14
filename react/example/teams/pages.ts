import { TeamInvitationPage } from '../handlers/team-invitation'
import { OwnInvitationsPage } from './own-invitations-page'
import { TeamPage } from './team-page'

/** The pages for teams, by the last part of their addresses. */
export const teamPages = { 'team-invitation': TeamInvitationPage, team: TeamPage, invitations: OwnInvitationsPage }
