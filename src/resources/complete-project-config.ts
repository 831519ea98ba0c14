import type * as v from 'valibot'
import { invalidInput } from '../errors/auth-error'
import type { adminProjectChanges } from './admin-project-fields'

/** What an owner may say of a project's configuration. */
export type ProjectConfigChanges = NonNullable<
  v.InferInput<v.ObjectSchema<typeof adminProjectChanges, undefined>>['config']
>
type Provider = NonNullable<ProjectConfigChanges['oauthProviders']>[number]
type Email = NonNullable<ProjectConfigChanges['emailConfig']>

/**
 * The configuration as it is sent. Throws INVALID_INPUT for a provider or a mail server of type 'standard' that lacks one of
 * its fields; what one of type 'shared' has besides is left out. Source: specification §5.
 */
export function completeProjectConfig<C extends ProjectConfigChanges>(config: C): C {
  return {
    ...config,
    ...(config.oauthProviders && { oauthProviders: config.oauthProviders.map(completeProvider) }),
    ...(config.emailConfig && { emailConfig: completeEmail(config.emailConfig) }),
  }
}

function completeProvider({ id, type, ...own }: Provider, index: number): Provider {
  if (type === 'shared') return { id, type }
  for (const name of ['clientId', 'clientSecret'] as const)
    if (!own[name]) throw lacking(`config.oauthProviders.${index}.${name}`, `the provider ${id}`)
  return { id, type, ...own }
}

const emailFields = ['host', 'port', 'username', 'password', 'senderName', 'senderEmail'] as const

function completeEmail({ type, ...own }: Email): Email {
  // The platform refuses a shared one that has other fields.
  if (type === 'shared') return { type }
  for (const name of emailFields)
    if (own[name] === undefined || own[name] === '') throw lacking(`config.emailConfig.${name}`, 'the mail server')
  return { type, ...own }
}

function lacking(field: string, whose: string) {
  return invalidInput(field, `is missing or empty: ${whose} has type 'standard', which needs it`)
}
