/**
 * Types of the app, known to every definition, free function and hook. Augment it:
 *
 * ```ts
 * declare module 'rxauth' {
 *   interface Register { permissionId: 'read' | 'write'; clientMetadata: { theme: 'dark' | 'light' } }
 * }
 * ```
 */

export interface Register {}

type Registered<K extends string, Fallback, Others = never> = Register extends { readonly [_ in K]: infer T }
  ? T | Others
  : Fallback

/** What the platform itself asks members of a team for, in every project. */
export type SystemPermissionId =
  '$update_team' | '$delete_team' | '$read_members' | '$remove_members' | '$invite_members' | '$manage_api_keys'

/** A permission of the project, or one of the platform's own. */
export type PermissionId = Registered<'permissionId', string, SystemPermissionId>
export type ProviderId = Registered<'provider', string>
export type ClientMetadata = Registered<'clientMetadata', unknown>
export type ClientReadOnlyMetadata = Registered<'clientReadOnlyMetadata', unknown>
export type ServerMetadata = Registered<'serverMetadata', unknown>
