import * as v from 'valibot'
import { GeoInfo } from '../../definitions/client/sessions'
import type { CodePurpose } from '../model/code-tables'
import { endStatuses } from '../model/email-tables'
import type { Tables } from '../model/tables'
import type { RowsOf } from './rows-of'

const text = v.string()
const number = v.number()
const flag = v.boolean()
const maybeText = v.nullable(text)
const maybeNumber = v.nullable(number)
const texts = v.array(text)
/** An app's metadata: any JSON. */
const anything = v.any()

const purposes = [
  'email-verification',
  'magic-link',
  'password-reset',
  'unsubscribe',
  'team-invitation',
  'mfa-attempt',
  'passkey-registration',
  'passkey-authentication',
] as const satisfies readonly CodePurpose[]

const tsxTemplate = {
  id: text,
  displayName: text,
  tsxSource: text,
  themeId: v.exactOptional(v.nullable(v.union([v.literal(false), text]))),
}

/** The rows of one project in an export. */
export const projectRows: RowsOf<Tables> = {
  keySets: v.object({
    id: text,
    description: text,
    createdAt: number,
    publishableClientKey: maybeText,
    secretServerKey: maybeText,
    superSecretAdminKey: maybeText,
    expiresAt: number,
    revokedAt: maybeNumber,
  }),
  users: v.object({
    id: text,
    displayName: maybeText,
    profileImageUrl: maybeText,
    signedUpAt: number,
    lastActiveAt: number,
    clientMetadata: anything,
    clientReadOnlyMetadata: anything,
    serverMetadata: anything,
    password: maybeText,
    otpAuthEnabled: flag,
    totpSecretBase64: maybeText,
    requiresTotpMfa: flag,
    isAnonymous: flag,
    restrictedByAdmin: flag,
    restrictedByAdminReason: v.exactOptional(maybeText),
    restrictedByAdminPrivateDetails: v.exactOptional(maybeText),
    countryCode: v.exactOptional(maybeText),
    riskScores: v.exactOptional(v.object({ signUp: v.object({ bot: number, freeTrialAbuse: number }) })),
    selectedTeamId: maybeText,
  }),
  contactChannels: v.object({
    id: text,
    userId: text,
    value: text,
    isPrimary: flag,
    isVerified: flag,
    usedForAuth: flag,
  }),
  sessions: v.object({
    id: text,
    userId: text,
    createdAt: number,
    lastUsedAt: number,
    lastUsedFrom: v.exactOptional(v.nullable(GeoInfo)),
    expiresAt: number,
    isImpersonation: flag,
  }),
  refreshTokens: v.object({ id: text, sessionId: text, successor: maybeText, retiredAt: maybeNumber }),
  teams: v.object({
    id: text,
    displayName: text,
    profileImageUrl: maybeText,
    createdAt: number,
    clientMetadata: anything,
    clientReadOnlyMetadata: anything,
    serverMetadata: anything,
  }),
  memberships: v.object({ id: text, teamId: text, userId: text, displayName: maybeText, profileImageUrl: maybeText }),
  permissionDefinitions: v.object({
    id: text,
    scope: v.picklist(['team', 'project']),
    description: maybeText,
    containedIds: texts,
  }),
  teamGrants: v.object({ id: text, teamId: text, userId: text, permissionId: text }),
  projectGrants: v.object({ id: text, userId: text, permissionId: text }),
  verificationCodes: v.object({
    id: text,
    purpose: v.picklist(purposes),
    code: text,
    expiresAt: number,
    usedAt: maybeNumber,
    attempts: number,
    subject: v.object({
      userId: v.exactOptional(text),
      email: v.exactOptional(text),
      notificationCategoryId: v.exactOptional(text),
      teamId: v.exactOptional(text),
      challenge: v.exactOptional(text),
    }),
  }),
  cliLogins: v.object({
    id: text,
    loginCode: text,
    expiresAt: number,
    refreshToken: maybeText,
    anonymousRefreshToken: maybeText,
    usedAt: maybeNumber,
  }),
  passkeys: v.object({ id: text, credentialId: text, publicKey: text, counter: number, transports: texts }),
  oauthAccounts: v.object({
    id: text,
    userId: text,
    provider: text,
    accountId: text,
    email: maybeText,
    allowSignIn: v.exactOptional(flag),
    allowConnectedAccounts: v.exactOptional(flag),
  }),
  oauthTokens: v.object({
    id: text,
    oauthAccountId: text,
    scopes: texts,
    refreshToken: maybeText,
    accessToken: text,
    expiresAt: number,
  }),
  authorizationCodes: v.object({
    id: text,
    userId: text,
    isNewUser: flag,
    redirectUri: text,
    codeChallenge: text,
    codeChallengeMethod: v.picklist(['S256', 'plain']),
    afterCallbackRedirectUrl: maybeText,
    expiresAt: number,
  }),
  apiKeys: v.object({
    id: text,
    kind: v.picklist(['user', 'team']),
    ownerId: text,
    value: text,
    description: text,
    isPublic: flag,
    createdAt: number,
    expiresAt: maybeNumber,
    revokedAt: maybeNumber,
  }),
  notificationPreferences: v.object({ id: text, userId: text, enabled: flag }),
  activity: v.object({ id: text, userId: text, date: text, lastAt: number }),
  signUpRuleCounts: v.object({ id: text, count: v.number(), lastAt: v.number() }),
  emailTemplates: v.object({ id: text, subject: text, content: v.unknown() }),
  tsxTemplates: v.object(tsxTemplate),
  tsxThemes: v.object({ id: text, displayName: text, tsxSource: text }),
  emailDrafts: v.object({ ...tsxTemplate, sentAt: maybeNumber }),
  emailOutbox: v.object({
    id: text,
    createdAt: number,
    updatedAt: number,
    tsxSource: text,
    themeId: v.nullable(v.union([v.literal(false), text])),
    to: v.object({
      type: v.picklist(['user-primary-email', 'user-custom-emails', 'custom-emails']),
      userId: v.exactOptional(text),
      emails: v.exactOptional(texts),
    }),
    variables: v.record(text, v.unknown()),
    skipDeliverabilityCheck: flag,
    scheduledAt: number,
    isPaused: flag,
    isHighPriority: flag,
    subject: maybeText,
    category: maybeText,
    draftId: maybeText,
    templateId: maybeText,
    origin: text,
    rendered: v.nullable(v.object({ at: number, subject: text, html: text, text, categoryId: text })),
    outcome: v.nullable(v.object({ status: v.picklist(endStatuses), at: number, reason: v.exactOptional(text) })),
  }),
  sentEmails: v.object({
    id: text,
    subject: text,
    to: texts,
    sentAt: number,
    sender: v.object({
      type: v.picklist(['shared', 'standard']),
      host: text,
      port: number,
      username: text,
      senderName: text,
      senderEmail: text,
    }),
    error: v.nullable(v.object({ message: text })),
  }),
}
