import type { AnyAuthError } from 'rxauth'
import type { Words } from '../words/en'
import { wordsFor } from '../words/use-words'
import { isUselessLink } from './dead-end'

/** Whether another try of this user with this link would fail the same way. */
export function isUseless(error: AnyAuthError): boolean {
  switch (error.code) {
    case 'TEAM_NOT_FOUND':
    case 'TEAM_INVITATION_EMAIL_MISMATCH':
    case 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED':
      return true
    default:
      return isUselessLink(error)
  }
}

/** Why a link cannot be used to join, and what to do. */
export function uselessInvitation(error: AnyAuthError, words: Words): string {
  switch (error.code) {
    case 'VERIFICATION_CODE_EXPIRED':
      return 'This invitation has expired. Ask for a new one.'
    case 'VERIFICATION_CODE_ALREADY_USED':
      return 'This invitation has been used already. If it was you, the team is among yours.'
    case 'VERIFICATION_CODE_NOT_FOUND':
      return 'This invitation is not valid: it was withdrawn, or the link is not complete. Ask for a new one.'
    case 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED':
      return 'This link has been opened too often. Ask for a new invitation.'
    case 'TEAM_NOT_FOUND':
      return 'The team that you were invited to is not there any more.'
    case 'INVALID_INPUT':
      return 'This link is incomplete. Open the link in the e-mail again, or ask for a new invitation.'
    default:
      return wordsFor(error, words)
  }
}
