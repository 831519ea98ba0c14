import type * as v from 'valibot'
import { DEV } from '../../core/dev'
import { parseUrl } from '../../core/parse-url'
import { isNoEmail } from '../../core/wire'
import { invalidInput } from '../../errors/auth-error'
import type { adminProjectChanges } from './shape-admin-project-fields'

/** The configuration that an owner may change. */
export type ProjectConfigChanges = NonNullable<
  v.InferInput<v.ObjectSchema<typeof adminProjectChanges, undefined>>['config']
>
type Provider = NonNullable<ProjectConfigChanges['oauthProviders']>[number]
type Email = NonNullable<ProjectConfigChanges['emailConfig']>

/**
 * The configuration for the request. Throws INVALID_INPUT for a provider or a mail server of type 'standard' without one of
 * its fields, for a `senderEmail` that is no e-mail address, and for a domain that is no URL; other fields of type 'shared' are
 * left out. Source: specification §5.
 */
export function completeProjectConfig<C extends ProjectConfigChanges>(config: C): C {
  return {
    ...config,
    ...(config.oauthProviders && { oauthProviders: config.oauthProviders.map(completeProvider) }),
    ...(config.emailConfig && { emailConfig: completeEmail(config.emailConfig) }),
    ...(config.domains && { domains: config.domains.map(checkedDomain) }),
  }
}

function checkedDomain<D extends { readonly domain: string }>(given: D, index: number): D {
  if (isDomain(given.domain)) return given
  throw invalidInput(`config.domains.${index}.domain`, DEV ? notDomain(given.domain) : '')
}

/**
 * Whether a trusted domain is an address, with or without wildcards (`https://*.example.com`, `http://*:8080`). The platform
 * stores any text, and then fails for every user of the project.
 */
export function isDomain(text: string): boolean {
  // Not every URL parser accepts a star, and none as a port.
  const url = parseUrl(text.replace(/:\*+(?=[/?#]|$)/, '').replaceAll('*', 'a'))
  return url !== null && /^https?:$/.test(url.protocol)
}

/** Continues the name of the field. */
export function notDomain(text: string): string {
  return `is "${text}", which is no address such as https://app.example.com or https://*.example.com`
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
