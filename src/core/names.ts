import { DEV } from './dev'

// Read in development only. Module state holds nothing of an app. One constant: esbuild keeps what a second one needs.
const known = DEV
  ? {
      /** Names of stores in apps, by the object that makes the value. */
      stores: new WeakMap<object, string>(),
      /** Names of methods in apps, by level and route. */
      calls: new Map<string, string>(),
      /**
       * Names of calls that no app has as a member: inside a method, or only exported. They are not derived: an endpoint does not
       * know the export that calls it, and a list of the exports would bring them all into the development bundle of an app that
       * calls one. Tests compare them with the exports (`test/types/names.ts`) and with the endpoints (`test/core/names.test.ts`).
       */
      others: {
        'admin DELETE /internal/config/source': 'unlinkProjectConfigSource',
        'admin DELETE /internal/email-drafts/{emailDraftId}': 'deleteEmailDraft',
        'admin DELETE /internal/email-templates/{emailTemplateId}': 'deleteTsxEmailTemplate',
        'admin DELETE /internal/email-themes/{emailThemeId}': 'deleteEmailTheme',
        'admin GET /email-templates': 'emailTemplates$',
        'admin GET /internal/config': 'projectConfig$',
        'admin GET /internal/config/override/{level}': 'projectConfigOverride$',
        'admin GET /internal/config/source': 'projectConfigSource$',
        'admin GET /internal/email-drafts': 'emailDrafts$',
        'admin GET /internal/email-drafts/{emailDraftId}': 'emailDraft$',
        'admin GET /internal/email-themes': 'emailThemes$',
        'admin GET /internal/email-themes/{emailThemeId}': 'emailTheme$',
        'admin GET /internal/sign-up-rules-stats': 'signUpRulesStats$',
        'admin PATCH /internal/config/override/{level}': 'updateProjectConfig',
        'admin PATCH /internal/email-drafts/{emailDraftId}': 'updateEmailDraft',
        'admin PATCH /internal/email-templates/{emailTemplateId}': 'updateTsxEmailTemplate',
        'admin PATCH /internal/email-themes/{emailThemeId}': 'updateEmailTheme',
        'admin POST /internal/config/override/{level}/reset-keys': 'resetProjectConfigKeys',
        'admin POST /internal/email-drafts': 'createEmailDraft',
        'admin POST /internal/email-templates': 'createTsxEmailTemplate',
        'admin POST /internal/email-themes': 'createEmailTheme',
        'admin POST /internal/onboarding/preview-affected-users': 'previewAffectedUsers',
        'admin POST /internal/send-test-webhook': 'sendTestWebhook',
        'admin POST /internal/sign-up-rules-test': 'testSignUpRules',
        'admin PUT /internal/config/override/{level}': 'replaceProjectConfig',
        'client DELETE /auth/sessions/current': 'signOut',
        'client DELETE /oauth-providers/me/{oauthProviderId}': 'deleteOAuthProvider',
        'client GET /auth/oauth/authorize/{provider}': 'signInWithOAuth',
        'client GET /connected-accounts/me': 'connectedAccounts$',
        'client GET /oauth-providers': 'oauthProviders$',
        'client PATCH /oauth-providers/me/{oauthProviderId}': 'updateOAuthProvider',
        'client POST /auth/anonymous/sign-up': 'signUpAnonymously',
        'client POST /auth/cli': 'promptCliLogin',
        'client POST /auth/cli/complete': 'completeCliLogin',
        'client POST /auth/cli/poll': 'promptCliLogin',
        'client POST /auth/mfa/sign-in': 'continueSignIn',
        'client POST /auth/oauth/callback/apple/native': 'signInWithAppleToken',
        'client POST /auth/oauth/token': 'handleOAuthCallback',
        'client POST /auth/otp/send-sign-in-code': 'sendMagicLinkEmail',
        'client POST /auth/otp/sign-in': 'signInWithMagicLink',
        'client POST /auth/otp/sign-in/check-code': 'checkMagicLinkCode',
        'client POST /auth/passkey/initiate-passkey-authentication': 'signInWithPasskey',
        'client POST /auth/passkey/initiate-passkey-registration': 'registerPasskey',
        'client POST /auth/passkey/register': 'registerPasskey',
        'client POST /auth/passkey/sign-in': 'signInWithPasskey',
        'client POST /auth/password/reset': 'resetPassword',
        'client POST /auth/password/reset/check-code': 'checkPasswordResetCode',
        'client POST /auth/password/send-reset-code': 'sendPasswordResetEmail',
        'client POST /auth/password/set': 'setPassword',
        'client POST /auth/password/sign-in': 'signInWithPassword',
        'client POST /auth/password/sign-up': 'signUpWithPassword',
        'client POST /auth/password/update': 'updatePassword',
        'client POST /connected-accounts/me/{provider}/access-token': 'connectedAccountToken',
        'client POST /connected-accounts/me/{provider}/{providerAccountId}/access-token': 'connectedAccountToken',
        'client POST /contact-channels/send-verification-code': 'sendVerificationEmail',
        'client POST /contact-channels/verify': 'verifyEmail',
        'client POST /contact-channels/verify/check-code': 'checkEmailVerificationCode',
        'client GET /internal/projects': 'ownedProjects$',
        'client POST /internal/projects': 'createOwnedProject',
        'client POST /internal/projects/transfer': 'transferOwnedProject',
        'client POST /team-invitations/accept': 'acceptTeamInvitation',
        'client POST /team-invitations/accept/check-code': 'checkTeamInvitationCode',
        'client POST /team-invitations/accept/details': 'teamInvitationDetails',
        'client POST /team-invitations/{invitationId}/accept': 'acceptOwnTeamInvitation',
        'server DELETE /oauth-providers/{userId}/{oauthProviderId}': 'deleteOAuthProviderById',
        'server GET /connected-accounts/{userId}': 'providerAccountsOf$',
        'server GET /emails/delivery-info': 'emailDeliveryInfo$',
        'server GET /emails/outbox': 'emailOutbox$',
        'server GET /emails/outbox/{emailId}': 'outboxEmail$',
        'server GET /internal/config/override/branch': 'branchConfigOverride$',
        'server GET /oauth-providers': 'oauthProvidersOf$',
        'server PATCH /emails/outbox/{emailId}': 'updateOutboxEmail',
        'server PATCH /internal/config/override/branch': 'updateBranchConfig',
        'server PATCH /oauth-providers/{userId}/{oauthProviderId}': 'updateOAuthProviderById',
        'server POST /connected-accounts/{userId}/{provider}/{providerAccountId}/access-token':
          'providerAccountTokenById',
        'server POST /oauth-providers': 'createOAuthProviderById',
        'server POST /team-api-keys/check': 'checkTeamApiKey',
        'server POST /user-api-keys/check': 'checkUserApiKey',
        'server PUT /internal/config/override/branch': 'replaceBranchConfig',
      } as const,
    }
  : (undefined as never)

/** The type of the list, for the test of types. */
export type OtherNames = typeof known.others

type ListedNames = Readonly<Record<string, string>>

interface CallName {
  readonly access: string
  readonly route: string
}

interface SourceName {
  readonly key: string
  readonly isOwn?: boolean | undefined
}

interface NamedDefinition {
  readonly endpoint?: object | undefined
  readonly '~source'?: object
  readonly '~project'?: object | undefined
}

/** Learns what an app calls a definition, for messages during development. */
export const learnName: (name: string, definition: NamedDefinition) => void = DEV
  ? (name, { endpoint, '~source': source, '~project': project }) => {
      const origin = project ?? source
      if (origin) known.stores.set(origin, name)
      if (!endpoint) return
      const { access, route } = endpoint as CallName
      const key = `${access} ${route}`
      // The plainest of several: `user$`, not `connectedAccounts$`.
      if (name.length < (known.calls.get(key)?.length ?? Infinity)) known.calls.set(key, name)
    }
  : () => undefined

/** The name of a request in messages: `updateTeam`; in production, and for a kit without methods, its route. */
export const callName: (call: CallName) => string = DEV
  ? ({ access, route }) =>
      known.calls.get(`${access} ${route}`) ?? (known.others as ListedNames)[`${access} ${route}`] ?? route
  : ({ route }) => route

/** The name of a store in messages: `user$`; without one, and in production, the text of its key. */
export const storeName: (source: SourceName, project?: object) => string = DEV
  ? (source, project) => {
      const { key, isOwn } = source
      const name = known.stores.get(project ?? source) ?? known.calls.get(key) ?? (known.others as ListedNames)[key]
      return name ?? (isOwn ? key : `the store of ${key.slice(key.indexOf(' ') + 1)}`)
    }
  : ({ key }) => key
