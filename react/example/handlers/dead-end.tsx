import { useEffect, useRef, type ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { AuthFrame } from '../shell/auth-frame'
import { Alert } from '../ui/alert'
import { ButtonLink, TextLink } from '../ui/button'
import type { Words } from '../words/en'
import { useWords, wordsFor } from '../words/use-words'

interface Props {
  readonly title: string
  /** Why the page cannot continue. */
  readonly reason: string
  /** The page to go on to; the sign-in by default. */
  readonly to?: string
  readonly wayOn: string
  /** Other things to do. */
  readonly children?: ReactNode
}

/** A page that cannot do its task, with a link to another page. */
export function DeadEnd({ title, reason, to = '/handler/sign-in', wayOn, children }: Props): ReactNode {
  const { pages: words } = useWords()
  return (
    <AuthFrame title={title} below={<TextLink to="/">{words.toStart}</TextLink>}>
      <Alert kind="warning" role="alert">
        {reason}
      </Alert>
      <ButtonLink label={wayOn} to={to} />
      {children}
    </AuthFrame>
  )
}

/** Whether another try with this link would fail the same way. */
export function isUselessLink({ code }: AnyAuthError): boolean {
  return code === 'INVALID_INPUT' || code.startsWith('VERIFICATION_CODE')
}

/** The texts for codes of errors about the link of a mail. */
const linkProblems: { readonly [C in AnyAuthError['code']]?: 'expired' | 'used' | 'tooOften' | 'invalid' } = {
  VERIFICATION_CODE_EXPIRED: 'expired',
  VERIFICATION_CODE_ALREADY_USED: 'used',
  VERIFICATION_CODE_MAX_ATTEMPTS_REACHED: 'tooOften',
  VERIFICATION_CODE_NOT_FOUND: 'invalid',
  INVALID_INPUT: 'invalid',
}

/** Why the link of a mail cannot be used. The person has typed nothing, and knows of no code. */
export function wordsForLink(
  error: AnyAuthError,
  words: Words,
  texts: Words['pages']['link' | 'invitation'] = words.pages.link,
): string {
  const problem = linkProblems[error.code]
  return problem ? texts[problem] : wordsFor(error, words)
}

/** A page whose request is running. */
export function Waiting({ title }: { readonly title: string }): ReactNode {
  const { pages: words } = useWords()
  return (
    <AuthFrame title={title}>
      <div className="auth-row middle" role="status" aria-busy="true" aria-label={words.waiting}>
        <span className="spinner" />
      </div>
    </AuthFrame>
  )
}

/** Runs once when the page opens: React's strict mode runs effects twice, and a mailed code can be checked only 20 times. */
export function useOnArrival(act: () => unknown): void {
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    act()
  })
}
