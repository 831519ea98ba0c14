import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink, TextLink } from '../ui/link'

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
      <Alert color="yellow" role="alert">
        {reason}
      </Alert>
      <ButtonLink to={to} size="md">
        {wayOn}
      </ButtonLink>
      {children}
    </AuthFrame>
  )
}

/** The text for a link without its code. */
export const missingCode = 'This link is incomplete. Open the link in the e-mail again, or ask for a new one.'
