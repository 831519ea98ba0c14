import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { isRefusedWith } from '../store/refusals'
import { call } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import type { TeamInvitation } from './team-invitations'

type List = Endpoint<Access, { readonly teamId: string }, TeamInvitation[], never>

/**
 * Tells whether a refused revocation leaves nothing to do. The hosted platform fails with 500 where it finds no such
 * invitation; its list tells that from any other failure.
 */
export function isRevokedBy(list: List) {
  return async (
    error: unknown,
    { teamId, invitationId }: { readonly teamId: string; readonly invitationId: string },
    kit: Kit,
  ): Promise<boolean> => {
    const { transport, session } = coreOf(kit)
    if (isRefusedWith(error, [404])) return true
    if (!isRefusedWith(error, [500])) return false
    try {
      const open = await call(
        transport,
        list,
        { teamId },
        list.ownedBy === 'session' ? { owner: session.identity } : {},
      )
      return open.ok && !open.value.some(({ id }) => id === invitationId)
    } catch {
      return false
    }
  }
}
