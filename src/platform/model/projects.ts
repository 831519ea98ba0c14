import * as v from 'valibot'
import { table } from '../data/table'
import type { RowOf } from '../data/table'
import { projectConfig } from './project-config'

export const configLevels = ['project', 'branch', 'environment'] as const

export type ConfigLevel = (typeof configLevels)[number]

/**
 * Values by path: `{ 'auth.allowSignUp': false, 'auth.signUpRules.spam': { … } }`. A path leads to one setting, to an entry of
 * a record, or to a setting within that entry. Null hides what lower levels say.
 */
const configOverride = v.record(v.string(), v.unknown())
export type ConfigOverride = Readonly<v.InferOutput<typeof configOverride>>

export const projects = table({
  columns: {
    displayName: v.string(),
    description: v.string(),
    isProductionMode: v.boolean(),
    createdAt: v.number(),
    config: projectConfig,
    // Fields of the newer release only; absent until an owner sets them.
    ownerTeamId: v.exactOptional(v.string()),
    onboardingStatus: v.exactOptional(v.string()),
    isDevelopmentEnvironment: v.exactOptional(v.boolean()),
    logoUrl: v.exactOptional(v.nullable(v.string())),
    logoFullUrl: v.exactOptional(v.nullable(v.string())),
    logoDarkModeUrl: v.exactOptional(v.nullable(v.string())),
    logoFullDarkModeUrl: v.exactOptional(v.nullable(v.string())),
    /** The colour of its mails, if a seed sets one; the hosted platform has no such field. */
    color: v.exactOptional(v.nullable(v.string())),
    /** As they were written. Where `config` differs, it was changed since by another call. */
    configOverrides: v.exactOptional(v.object(v.entriesFromList(configLevels, configOverride))),
    /** The origin of the override of the branch. Absent: unlinked. */
    configSource: v.exactOptional(
      v.object({
        type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
        owner: v.exactOptional(v.string()),
        repo: v.exactOptional(v.string()),
        branch: v.exactOptional(v.string()),
        commitHash: v.exactOptional(v.string()),
        configFilePath: v.exactOptional(v.string()),
        workflowPath: v.exactOptional(v.string()),
      }),
    ),
    /** The theme of its mails, if it is none of the two that the reference release has. */
    selectedThemeId: v.exactOptional(v.string()),
    /** The end of the last time in which mails may be sent faster. */
    emailBoostEndsAt: v.exactOptional(v.number()),
  },
})
export interface ProjectRow extends RowOf<typeof projects> {}
export type ConfigOverrides = NonNullable<ProjectRow['configOverrides']>
export type ConfigSource = NonNullable<ProjectRow['configSource']>

/** How often the sign-up rules have matched; the id is the rule's. */
export const signUpRuleCounts = table({
  columns: {
    count: v.number(),
    lastAt: v.number(),
    /** How often in each hour of the last days. */
    hours: v.exactOptional(v.array(v.object({ hour: v.number(), count: v.number() }))),
  },
})
