import * as v from 'valibot'
import type { SigningKeyRow } from '../model/key-tables'
import type { Database, ProjectRow } from '../model/tables'
import type { RowsOf } from './rows-of'

const text = v.string()
const flag = v.boolean()
const maybeText = v.nullable(text)
const texts = v.array(text)
const optionalText = v.optional(text)
const kindOfKeys = v.picklist(['shared', 'standard'])
const ids = v.array(v.object({ id: text }))
const override = v.record(text, v.unknown())

const config: v.GenericSchema<unknown, ProjectRow['config']> = v.object({
  allowLocalhost: flag,
  signUpEnabled: flag,
  credentialEnabled: flag,
  magicLinkEnabled: flag,
  passkeyEnabled: flag,
  clientTeamCreationEnabled: flag,
  clientUserDeletionEnabled: flag,
  createTeamOnSignUp: flag,
  allowUserApiKeys: flag,
  allowTeamApiKeys: flag,
  anonymousSignUpEnabled: flag,
  domains: v.array(v.object({ domain: text, handlerPath: text })),
  oauthProviders: v.array(
    v.object({
      id: text,
      type: v.picklist(['shared', 'standard', 'custom_oidc']),
      clientId: optionalText,
      clientSecret: optionalText,
      facebookConfigId: optionalText,
      microsoftTenantId: optionalText,
      appleBundleIds: v.optional(texts),
      provider: optionalText,
      allowSignIn: v.optional(flag),
      allowConnectedAccounts: v.optional(flag),
      issuerUrl: optionalText,
      scope: optionalText,
      displayName: optionalText,
    }),
  ),
  oauthAccountMergeStrategy: v.picklist(['link_method', 'raise_error', 'allow_duplicates']),
  emailConfig: v.object({
    type: kindOfKeys,
    host: optionalText,
    port: v.optional(v.number()),
    username: optionalText,
    password: optionalText,
    senderName: optionalText,
    senderEmail: optionalText,
  }),
  emailTheme: v.picklist(['default-light', 'default-dark']),
  teamCreatorDefaultPermissions: ids,
  teamMemberDefaultPermissions: ids,
  userDefaultPermissions: ids,
  requirePublishableClientKey: flag,
  requireEmailVerification: flag,
  signUpRules: v.array(
    v.object({
      id: v.exactOptional(text),
      displayName: v.exactOptional(text),
      enabled: v.exactOptional(flag),
      priority: v.exactOptional(v.number()),
      emailDomain: v.exactOptional(text),
      condition: v.exactOptional(text),
      action: v.picklist(['allow', 'reject', 'restrict', 'log']),
      message: v.exactOptional(text),
    }),
  ),
  // Absent in exports of older versions.
  signUpRulesDefaultAction: v.optional(v.picklist(['allow', 'reject']), 'allow'),
  botChallengeToken: maybeText,
})

const publicKey = {
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  alg: v.literal('ES256'),
  kid: text,
  x: text,
  y: text,
}
const signingKey: v.GenericSchema<unknown, SigningKeyRow> = v.object({
  id: text,
  publicKey: v.object(publicKey),
  privateKey: v.object({ ...publicKey, d: text }),
})

/** The rows in an export that belong to no project. */
export const sharedRows: RowsOf<Omit<Database, 'of'>> = {
  projects: v.object({
    id: text,
    displayName: text,
    description: text,
    isProductionMode: flag,
    createdAt: v.number(),
    config,
    ownerTeamId: v.exactOptional(text),
    onboardingStatus: v.exactOptional(text),
    logoUrl: v.exactOptional(maybeText),
    logoFullUrl: v.exactOptional(maybeText),
    logoDarkModeUrl: v.exactOptional(maybeText),
    logoFullDarkModeUrl: v.exactOptional(maybeText),
    color: v.exactOptional(maybeText),
    configOverrides: v.exactOptional(v.object({ project: override, branch: override, environment: override })),
    configSource: v.exactOptional(
      v.object({
        type: v.picklist(['pushed-from-github', 'pushed-from-unknown', 'unlinked']),
        owner: v.exactOptional(text),
        repo: v.exactOptional(text),
        branch: v.exactOptional(text),
        commitHash: v.exactOptional(text),
        configFilePath: v.exactOptional(text),
      }),
    ),
    emailBoostEndsAt: v.exactOptional(v.number()),
  }),
  signingKeys: signingKey,
  oauthFlows: v.object({
    id: text,
    projectId: text,
    provider: text,
    innerVerifier: text,
    linksUserId: maybeText,
    upgradesUserId: maybeText,
    challenge: v.object({ token: maybeText, isInvisible: flag }),
    redirectUri: text,
    state: text,
    codeChallenge: text,
    codeChallengeMethod: text,
    scope: text,
    responseType: text,
    errorRedirectUrl: maybeText,
    afterCallbackRedirectUrl: maybeText,
    expiresAt: v.number(),
  }),
  providerAccounts: v.object({
    id: text,
    provider: text,
    accountId: text,
    email: text,
    isVerified: flag,
    displayName: maybeText,
  }),
  providerGrants: v.object({
    id: text,
    kind: v.picklist(['code', 'access', 'refresh']),
    accountRowId: text,
    clientId: text,
    redirectUri: text,
    codeChallenge: maybeText,
    nonce: maybeText,
    scopes: texts,
    expiresAt: v.number(),
  }),
  providerKeys: signingKey,
  mails: v.object({
    id: text,
    from: text,
    to: text,
    subject: text,
    text,
    html: text,
    links: texts,
    code: maybeText,
    sentAt: v.number(),
    taken: flag,
  }),
}
