// The entities of a client app. rxauth exports these and rarer ones; an app has them with its kit bound.
export * from './team-invitations/client-accept'
export { whyApiKeyInvalid, type ApiKeyInvalidity, type ApiKeyLifetime } from './api-keys/shape'
export { connectedAccounts$, type ConnectedAccount } from './connected-accounts/client'
export {
  ContactChannel,
  contactChannels$,
  createContactChannel,
  updateContactChannel,
  deleteContactChannel,
  sendContactChannelVerification,
} from './contact-channels/client'
export type { ContactChannelChanges } from './contact-channels/client'
export { CurrentUser, anyUser$, user$, updateUser, deleteUser, type Restriction } from './users/client'
export * from './projects/client'
export * from './permissions/client'
export * from './notification-preferences/client'
export * from './team-invitations/client'
export * from './sessions/client'
export * from './api-keys/client-team'
export { createTeam, deleteTeam, selectTeam, updateTeam } from './teams/client-writes'
export * from './team-members/client-writes'
export * from './team-members/client'
export * from './teams/client'
export * from './api-keys/client-user'
