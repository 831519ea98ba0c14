import * as v from 'valibot'
import type { Shape } from '../../core/wire'
import { ConfigText } from './server-written'

// What a release adds, or has in another form, must not make the whole configuration unreadable: such a field is absent, and
// fields that are not declared pass as they are.

/** The value if it has this form. */
function maybe<S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined)
}

const flag = () => maybe(v.boolean())
const text = () => maybe(v.string())

function group<E extends v.ObjectEntries>(entries: E) {
  return v.optional(v.looseObject(entries), {} as never)
}

function entriesOf<E extends v.ObjectEntries>(entries: E) {
  return v.optional(v.record(v.string(), v.looseObject(entries)), {})
}

const flags = () => v.optional(v.record(v.string(), v.boolean()), {})
const signIn = () => group({ allowSignIn: flag() })

const rendered = v.looseObject({
  auth: group({
    allowSignUp: flag(),
    password: signIn(),
    otp: signIn(),
    passkey: signIn(),
    oauth: group({
      accountMergeStrategy: text(),
      providers: entriesOf({
        type: text(),
        isShared: flag(),
        clientId: text(),
        clientSecret: text(),
        allowSignIn: flag(),
        allowConnectedAccounts: flag(),
        issuerUrl: text(),
        scope: text(),
        displayName: text(),
      }),
    }),
    signUpRules: entriesOf({
      enabled: flag(),
      displayName: text(),
      priority: maybe(v.number()),
      condition: text(),
      action: maybe(v.looseObject({ type: text(), message: text() })),
    }),
    signUpRulesDefaultAction: text(),
  }),
  onboarding: group({ requireEmailVerification: flag() }),
  domains: group({ allowLocalhost: flag(), trustedDomains: entriesOf({ baseUrl: text(), handlerPath: text() }) }),
  teams: group({ allowClientTeamCreation: flag(), createPersonalTeamOnSignUp: flag() }),
  users: group({ allowClientUserDeletion: flag() }),
  apiKeys: group({ enabled: group({ user: flag(), team: flag() }) }),
  rbac: group({
    permissions: entriesOf({ description: text(), scope: text(), containedPermissionIds: flags() }),
    defaultPermissions: group({ teamCreator: flags(), teamMember: flags(), signUp: flags() }),
  }),
  emails: group({
    server: group({
      isShared: flag(),
      host: text(),
      port: maybe(v.number()),
      username: text(),
      password: text(),
      senderName: text(),
      senderEmail: text(),
    }),
    selectedThemeId: text(),
  }),
  project: group({ requirePublishableClientKey: flag() }),
})

/**
 * The whole configuration of a project, with all defaults and the overrides of every level, and with the secrets of providers
 * and of the mail server. Sections that owners of users rarely need (`payments`, `apps` and others) are as the platform sends
 * them. A field that a release lacks is absent. The fields within `rbac`, `teams` and `emails.server` are those of configuration
 * files; the platform's documents name only the sections.
 *
 * @example
 * const rejects = ({ auth }: RenderedConfig) =>
 *   Object.values(auth.signUpRules).filter(({ enabled, action }) => enabled && action?.type === 'reject')
 */
export interface RenderedConfig extends v.InferOutput<typeof rendered> {}
export const RenderedConfig: Shape<RenderedConfig> = v.pipe(ConfigText, rendered)
