import { createContext, useContext } from 'react'
import type { Kit, Store } from 'rxauth'

/** Roles: permissions of a project that contain others. */
export type Role = 'team_admin' | 'team_member'

/** A member's role; null without one. */
export interface MemberRole {
  readonly userId: string
  readonly role: Role | null
}

/**
 * The knowledge and calls of your own backend, which the platform tells and allows no browser. Every part is optional: the
 * screens work with the platform alone, and show what a part adds once it is there.
 *
 * @example
 * <OwnBackendProvider value={{ devices: devices$, roles: { of: roles$, change: changeRole }, deleteAccount }}>
 */
export interface OwnBackend {
  /** The `User-Agent` of each session of the user by the session's id. Without it only this device has a name. */
  readonly devices?: (kit: Kit) => Store<Readonly<Record<string, string>>>
  /** The roles of a team's members. Without them members have no role that is shown or changed. */
  readonly roles?: {
    readonly of: (kit: Kit, team: { readonly teamId: string }) => Store<readonly MemberRole[]>
    readonly change: (kit: Kit, member: { teamId: string; userId: string; role: Role }) => Promise<unknown>
  }
  /**
   * Deletes the user's account if the backend finds the confirmation of `confirmIdentity` to be good, and throws otherwise.
   * Without it the platform deletes the account, if `clientUserDeletionEnabled` of the project is on.
   */
  readonly deleteAccount?: (kit: Kit, proof: { readonly confirmation: string }) => Promise<unknown>
}

const Backend = createContext<OwnBackend>({})

/** Gives the screens below it what your own backend adds. */
export const OwnBackendProvider = Backend.Provider

/** Empty without a provider. */
export function useOwnBackend(): OwnBackend {
  return useContext(Backend)
}
