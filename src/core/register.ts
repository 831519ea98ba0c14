/**
 * Types of the app, known to every definition, free function and hook: an app augments it.
 *
 * @example
 * declare module 'rxauth' {
 *   interface Register {
 *     permissionId: 'read' | 'write'
 *     provider: 'github' | 'google'
 *     clientMetadata: { theme: 'dark' | 'light' }
 *   }
 * }
 */
export interface Register {}

type Registered<K extends string, Fallback, Others = never> = Register extends { readonly [_ in K]: infer T }
  ? T | Others
  : Fallback

/** The platform's own team permissions, which exist in every project. */
export type SystemPermissionId =
  | '$update_team'
  | '$delete_team'
  | '$read_members'
  | '$remove_members'
  | '$invite_members'
  | '$manage_api_keys'

/** A permission of the project, or one of the platform's own. */
export type PermissionId = Registered<'permissionId', string, SystemPermissionId>
/**
 * The id of an OAuth provider, as `Register` types it; without that any text, since owners choose the ids of custom OIDC
 * providers. Editors complete the names that the platform knows.
 */
export type ProviderId = Registered<'provider', KnownProvider | (string & {})>
type KnownProvider =
  | 'google'
  | 'github'
  | 'microsoft'
  | 'spotify'
  | 'facebook'
  | 'discord'
  | 'gitlab'
  | 'bitbucket'
  | 'linkedin'
  | 'apple'
  | 'x'
/** Metadata that clients read and write, as `Register` types it. */
export type ClientMetadata = Registered<'clientMetadata', unknown>
/** Metadata that clients read and servers write, as `Register` types it. */
export type ClientReadOnlyMetadata = Registered<'clientReadOnlyMetadata', unknown>
/** Metadata that only servers see, as `Register` types it. */
export type ServerMetadata = Registered<'serverMetadata', unknown>
