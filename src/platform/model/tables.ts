import { cliLogins, verificationCodes, refreshTokens, sessions } from './sessions'
import { emailDrafts, emailOutbox, emailTemplates, mails, sentEmails, tsxTemplates, tsxThemes } from './emails'
import { keySets, signingKeys, activity, apiKeys, notificationPreferences } from './api-keys'
import { authorizationCodes, oauthAccounts, oauthFlows, oauthTokens, providerAccounts, providerGrants } from './oauth'
import { projects, signUpRuleCounts } from './projects'
import { memberships, projectGrants, teamGrants, teams } from './teams'
import { contactChannels, passkeys, users } from './users'
import type { Journal } from '../data/journal'
import type { DatabaseOf, TablesOf } from '../data/unit'

/**
 * All data of a platform, as plain JSON. Each project has its own tables, so their rows have no `projectId`, and a
 * handler cannot reach those of another project:
 *
 * ```ts
 * serve(revokeApiKey, {}, ({ engine, input }) => {
 *   const { apiKeys, users } = engine.tables
 *   const key = apiKeys.get(input.apiKeyId)
 *   if (!key || !users.get(key.userId)) throw known('API_KEY_NOT_FOUND', 'There is no such key.')
 *   apiKeys.patch(key.id, { revokedAt: engine.clock.now() })
 * })
 * ```
 *
 * If a handler throws, everything that it wrote is undone, except its writes before `engine.keep()`. A table is declared
 * in one of the files above and named here; `table` shows how to declare and to query it.
 */
export const schema = {
  shared: {
    projects,
    signingKeys,
    oauthFlows,
    providerAccounts,
    providerGrants,
    providerKeys: signingKeys,
    mails,
  },
  ofProject: {
    keySets,
    users,
    contactChannels,
    sessions,
    refreshTokens,
    teams,
    memberships,
    teamGrants,
    projectGrants,
    verificationCodes,
    cliLogins,
    passkeys,
    oauthAccounts,
    oauthTokens,
    authorizationCodes,
    apiKeys,
    notificationPreferences,
    activity,
    signUpRuleCounts,
    emailTemplates,
    tsxTemplates,
    tsxThemes,
    emailDrafts,
    emailOutbox,
    sentEmails,
  },
}

export type Tables = TablesOf<typeof schema.ofProject>

/** The tables that belong to no project, and by `of(projectId)` those of each. */
export type Database = DatabaseOf<typeof schema.shared, typeof schema.ofProject>

export type PlatformJournal = Journal<typeof schema.shared, typeof schema.ofProject>
