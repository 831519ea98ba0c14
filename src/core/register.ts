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

/**
 * The platform's own team permissions, which exist in every project.
 *
 * @example
 * const needed: readonly SystemPermissionId[] = ['$read_members', '$invite_members']
 */
export type SystemPermissionId =
  '$update_team' | '$delete_team' | '$read_members' | '$remove_members' | '$invite_members' | '$manage_api_keys'

/**
 * A permission of the project, or one of the platform's own.
 *
 * @example
 * const permissionId: PermissionId = '$invite_members'
 * app.can$({ permissionId, teamId: 'team-1' }).subscribe(may => console.log(may))
 */
export type PermissionId = Registered<'permissionId', string, SystemPermissionId>
/**
 * The id of an OAuth provider, as `Register` types it; without that any text, since owners choose the ids of custom OIDC
 * providers. Editors complete the names that the platform knows.
 *
 * @example
 * const providers: readonly ProviderId[] = ['github', 'google', 'my-okta']
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
/**
 * Metadata that clients read and write, as `Register` types it.
 *
 * @example
 * const theme = (metadata: ClientMetadata) => (metadata as { theme?: string } | null)?.theme
 * theme((await app.user$.get())?.clientMetadata)
 */
export type ClientMetadata = Registered<'clientMetadata', unknown>
/**
 * Metadata that clients read and servers write, as `Register` types it.
 *
 * @example
 * const plan = (metadata: ClientReadOnlyMetadata) => (metadata as { plan?: string } | null)?.plan
 * plan((await app.user$.get())?.clientReadOnlyMetadata)
 */
export type ClientReadOnlyMetadata = Registered<'clientReadOnlyMetadata', unknown>
/**
 * Metadata that only servers see, as `Register` types it.
 *
 * @example
 * const notes = (metadata: ServerMetadata) => JSON.stringify(metadata)
 * notes((await server.userById$({ userId: 'user-1' }).get())?.serverMetadata)
 */
export type ServerMetadata = Registered<'serverMetadata', unknown>
