import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import type { Words } from '../words/en'
import { wordsFor } from '../words/use-words'
import { AuthFrame } from '../shell/auth-frame'
import { Alert } from '../ui/alert'
import { ButtonLink } from '../ui/button'
import { TextLink } from '../ui/link'

interface Props {
  readonly title: string
  /** Why the page cannot continue. */
  readonly reason: string
  /** A link or button to another page. */
  readonly to: string
  readonly wayOn: string
  /** Other things to do. */
  readonly children?: ReactNode
}

/** A page that cannot do its task, with a link to another page. */
export function DeadEnd({ title, reason, to, wayOn, children }: Props): ReactNode {
  return (
    <AuthFrame title={title} below={<TextLink to="/">Go to the start page</TextLink>}>
      <Alert kind="warning" role="alert">
        {reason}
      </Alert>
      <ButtonLink to={to}>{wayOn}</ButtonLink>
      {children}
    </AuthFrame>
  )
}

/** The text for a link without its code. */
export const missingCode = 'This link is incomplete. Open the link in the e-mail again, or ask for a new one.'

/** Whether another try with this link would fail the same way. */
export function isUselessLink({ code }: AnyAuthError): boolean {
  return code === 'INVALID_INPUT' || code.startsWith('VERIFICATION_CODE')
}

/** Why the link of a mail cannot be used. The person has typed nothing, and knows of no code. */
export function wordsForLink(error: AnyAuthError, words: Words): string {
  switch (error.code) {
    case 'VERIFICATION_CODE_EXPIRED':
      return 'This link has expired. Ask for a new one.'
    case 'VERIFICATION_CODE_ALREADY_USED':
      return 'This link has been used already. Ask for a new one.'
    case 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED':
      return 'This link has been opened too often. Ask for a new one.'
    case 'VERIFICATION_CODE_NOT_FOUND':
    case 'INVALID_INPUT':
      return 'This link is not valid. Open the link in the e-mail again, or ask for a new one.'
    default:
      return wordsFor(error, words)
  }
}
