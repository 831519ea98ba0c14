import { isRecord } from '../../core/values'
import { themeOf } from '../mail/email-themes'
import { at } from '../model/config-override'
import type { EmailConfig, OAuthProviderConfig, ProjectConfig, SignUpRule } from '../model/project-config'
import type { Configured } from './config-of-project'

type Entries<T> = Readonly<Record<string, T>>

/** The settings that a rendered configuration describes; those that it cannot describe are taken from `present`. */
export function fromConfig(rendered: unknown, present: ProjectConfig): Configured {
  const flag = (path: string) => at(rendered, path.split('.')) === true
  const grants = (kind: string) => grantedIn(at(rendered, ['rbac', 'defaultPermissions', kind])).map(id => ({ id }))
  const entries = (path: string) =>
    Object.entries((at(rendered, path.split('.')) ?? {}) as Entries<Entries<unknown>>).filter(([, entry]) =>
      isRecord(entry),
    )
  const strategy = at(rendered, ['auth', 'oauth', 'accountMergeStrategy'])
  return {
    config: {
      ...present,
      allowLocalhost: flag('domains.allowLocalhost'),
      signUpEnabled: flag('auth.allowSignUp'),
      credentialEnabled: flag('auth.password.allowSignIn'),
      magicLinkEnabled: flag('auth.otp.allowSignIn'),
      passkeyEnabled: flag('auth.passkey.allowSignIn'),
      clientTeamCreationEnabled: flag('teams.allowClientTeamCreation'),
      clientUserDeletionEnabled: flag('users.allowClientUserDeletion'),
      createTeamOnSignUp: flag('teams.createPersonalTeamOnSignUp'),
      allowUserApiKeys: flag('apiKeys.enabled.user'),
      allowTeamApiKeys: flag('apiKeys.enabled.team'),
      domains: entries('domains.trustedDomains').flatMap(([, { baseUrl, handlerPath = '/handler' }]) =>
        typeof baseUrl === 'string' ? [{ domain: baseUrl, handlerPath: handlerPath as string }] : [],
      ),
      oauthProviders: entries('auth.oauth.providers').flatMap(([id, entry]) => fromProvider(id, entry)),
      // The shape has checked it.
      oauthAccountMergeStrategy: strategy as ProjectConfig['oauthAccountMergeStrategy'],
      emailConfig: fromServer((at(rendered, ['emails', 'server']) ?? {}) as Entries<unknown>),
      emailTheme: themeOf(at(rendered, ['emails', 'selectedThemeId']) as string),
      teamCreatorDefaultPermissions: grants('teamCreator'),
      teamMemberDefaultPermissions: grants('teamMember'),
      userDefaultPermissions: grants('signUp'),
      requirePublishableClientKey: flag('project.requirePublishableClientKey'),
      requireEmailVerification: flag('onboarding.requireEmailVerification'),
      signUpRules: entries('auth.signUpRules').flatMap(([id, entry]) => fromRule(id, entry)),
      signUpRulesDefaultAction: at(rendered, ['auth', 'signUpRulesDefaultAction']) === 'reject' ? 'reject' : 'allow',
    },
    permissions: entries('rbac.permissions').flatMap(([id, { scope, description, containedPermissionIds }]) =>
      scope === 'team' || scope === 'project'
        ? [
            {
              id,
              scope,
              description: (description as string | undefined) ?? null,
              containedIds: grantedIn(containedPermissionIds),
            },
          ]
        : [],
    ),
  }
}

function grantedIn(entries: unknown): string[] {
  return Object.entries(isRecord(entries) ? entries : {}).flatMap(([id, isGranted]) => (isGranted === true ? [id] : []))
}

function fromRule(id: string, entry: Entries<unknown>): SignUpRule[] {
  const {
    enabled = false,
    displayName = '',
    priority = 0,
    // Such a rule is passed over, while one of a seed without a condition is for every sign-up.
    condition = '',
    action,
  } = entry as Omit<SignUpRule, 'action'> & {
    readonly action?: { readonly type?: SignUpRule['action']; readonly message?: string }
  }
  const { type, message } = action ?? {}
  if (type === undefined) return []
  return [{ id, enabled, displayName, priority, condition, action: type, ...(message !== undefined && { message }) }]
}

function fromProvider(id: string, { type, isShared, allowSignIn, allowConnectedAccounts, ...own }: Entries<unknown>) {
  if (typeof type !== 'string') return []
  const provider: OAuthProviderConfig = {
    // The shape has checked them.
    ...(own as Partial<OAuthProviderConfig>),
    id,
    type: type === 'custom_oidc' ? type : (isShared ?? !('clientId' in own)) ? 'shared' : 'standard',
    ...(type !== id && type !== 'custom_oidc' && { provider: type }),
    ...(allowSignIn === false && { allowSignIn }),
    ...(allowConnectedAccounts === false && { allowConnectedAccounts }),
  }
  return [provider]
}

function fromServer({ isShared = true, ...server }: Entries<unknown>): EmailConfig {
  if (isShared === true) return { type: 'shared' }
  const { host, port, username, password, senderName, senderEmail } = server as Omit<EmailConfig, 'type'>
  return { type: 'standard', host, port, username, password, senderName, senderEmail }
}
