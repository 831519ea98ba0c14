import type * as v from 'valibot'
import { DEV } from '../../core/dev'
import { isNoEmail } from '../../core/wire'
import { invalidInput } from '../../errors/auth-error'
import type { adminProjectChanges } from './admin-project-fields'

/** The configuration that an owner may change. */
export type ProjectConfigChanges = NonNullable<
  v.InferInput<v.ObjectSchema<typeof adminProjectChanges, undefined>>['config']
>
type Provider = NonNullable<ProjectConfigChanges['oauthProviders']>[number]
type Email = NonNullable<ProjectConfigChanges['emailConfig']>

/**
 * The configuration for the request. Throws INVALID_INPUT for a provider or a mail server of type 'standard' without one of
 * its fields, and for a `senderEmail` that is no e-mail address; other fields of type 'shared' are left out. Source: specification §5.
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
  // The platform refuses other fields of a shared one.
  if (type === 'shared') return { type }
  for (const name of emailFields)
    if (own[name] === undefined || own[name] === '') throw lacking(`config.emailConfig.${name}`, 'the mail server')
  const { senderEmail = '' } = own
  if (isNoEmail(senderEmail)) throw invalidInput('config.emailConfig.senderEmail', 'is no e-mail address')
  return { type, ...own, senderEmail: senderEmail.trim().toLowerCase() }
}

function lacking(field: string, whose: string) {
  return invalidInput(field, DEV ? `is missing or empty: ${whose} of type 'standard' needs it` : '')
}
