import * as v from 'valibot'

/** The project's public settings: what it allows its users to do. */
export const publicSettings = {
  signUpEnabled: v.boolean(),
  credentialEnabled: v.boolean(),
  magicLinkEnabled: v.boolean(),
  passkeyEnabled: v.boolean(),
  clientTeamCreationEnabled: v.boolean(),
  clientUserDeletionEnabled: v.boolean(),
  allowUserApiKeys: v.boolean(),
  allowTeamApiKeys: v.boolean(),
}
