import type { Result } from '../core/result'
import type { AuthErrorOf } from '../errors/auth-error'
import { ofTeam } from '../resources/of-team'
import { teams$ } from '../resources/teams'
import type { Kit } from '../store/kit'
import { mutation } from '../store/mutation'
import type { CallOptions } from '../store/mutation'
import { renewToken } from '../store/session'
import type { CodeError } from './code-answers'
import { codeCheck } from './code-check'
import { linkCode } from './mailed-code'
import { asOwner } from './owner'
import { share } from './share'
import { acceptInvitation, checkInvitationCode, invitationDetails } from './team-invitation-endpoints'

// Which team it was the answer does not say.
const accept = mutation(acceptInvitation, {
  refreshes: () => [teams$, ...ofTeam()],
  settled: kit => renewToken(kit),
})
const ask = mutation(invitationDetails, { refreshes: () => [] })

/**
 * What an invitation is to.
 *
 * @example
 * const question = ({ teamDisplayName }: TeamInvitationDetails) => `Join ${teamDisplayName}?`
 */
export interface TeamInvitationDetails {
  readonly teamId: string
  readonly teamDisplayName: string
}

/**
 * Makes the signed-in user a member of the team that the mailed code invites to; a member stays one. Calls of one user with
 * one code share one request, since a code works once; an abort ends the caller's wait only.
 *
 * Throws USER_AUTHENTICATION_REQUIRED while signed out, before a request: the platform would use the code up.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const result = await app.acceptTeamInvitation({ code })
 */
export async function acceptTeamInvitation(
  kit: Kit,
  { code }: { readonly code: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<CodeError>>> {
  const text = linkCode(code)
  return asOwner(kit, options, 'who could become a member', ({ sessionId }) =>
    share(kit, options, () => accept(kit, { code: text }), 'team invitation', text, sessionId ?? ''),
  )
}

/**
 * Which team a mailed code invites the signed-in user to. Twenty questions use a code up.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const invitation = await app.teamInvitationDetails({ code })
 * if (invitation.ok) console.log(`Join ${invitation.value.teamDisplayName}?`)
 */
export async function teamInvitationDetails(
  kit: Kit,
  { code }: { readonly code: string },
  options?: CallOptions,
): Promise<Result<TeamInvitationDetails, AuthErrorOf<CodeError>>> {
  return ask(kit, { code: linkCode(code) }, options)
}

/**
 * Whether the code of an invitation would work, signed in or not. Twenty questions use a code up.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkTeamInvitationCode({ code })
 */
export const checkTeamInvitationCode = codeCheck(checkInvitationCode)
