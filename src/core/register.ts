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

type Registered<K extends string, Fallback> = Register extends { readonly [_ in K]: infer T } ? T : Fallback

export type PermissionId = Registered<'permissionId', string>
export type ProviderId = Registered<'provider', string>
export type ClientMetadata = Registered<'clientMetadata', unknown>
export type ClientReadOnlyMetadata = Registered<'clientReadOnlyMetadata', unknown>
export type ServerMetadata = Registered<'serverMetadata', unknown>
