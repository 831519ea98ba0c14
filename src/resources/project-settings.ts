import * as v from 'valibot'

/** What a project lets its users do, which everybody may know. */
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
