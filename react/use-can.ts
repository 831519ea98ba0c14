'use client'
import { can$, type PermissionId } from 'rxauth'
import { useKit } from './provider'
import { useSnapshotPart } from './use-store'

/**
 * Whether the signed-in user has a permission, in a team or (without `teamId`) in the whole project, kept up to date while
 * the component is mounted. Undefined: not known yet, so `useCan(…) && <button>` shows nothing that might disappear.
 *
 * Pass `null` or `undefined` while the team is not known yet. Never suspends; all checks of one team share a request.
 *
 * @example
 * ```tsx
 * export const Invite = ({ teamId }: { teamId: string }) =>
 *   useCan({ permissionId: '$invite_members', teamId }) === true ? <button>Invite</button> : null
 * ```
 */
export function useCan(
  check: { readonly permissionId: PermissionId; readonly teamId?: string } | null | undefined,
): boolean | undefined {
  const kit = useKit()
  return useSnapshotPart(check && can$(kit, check), snapshot =>
    snapshot.status === 'ready' ? snapshot.value : undefined,
  )
}
