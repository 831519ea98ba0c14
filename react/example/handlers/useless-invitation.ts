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
  const { invitation: texts } = words.pages
  switch (error.code) {
    case 'VERIFICATION_CODE_EXPIRED':
      return texts.expired
    case 'VERIFICATION_CODE_ALREADY_USED':
      return texts.used
    case 'VERIFICATION_CODE_NOT_FOUND':
      return texts.invalid
    case 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED':
      return texts.tooOften
    case 'TEAM_NOT_FOUND':
      return texts.noTeam
    case 'INVALID_INPUT':
      return texts.incomplete
    default:
      return wordsFor(error, words)
  }
}
