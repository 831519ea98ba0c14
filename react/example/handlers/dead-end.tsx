import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink, TextLink } from '../ui/link'

interface Props {
  readonly title: string
  /** Why it goes no further here. */
  readonly reason: string
  /** The way on. */
  readonly to: string
  readonly wayOn: string
}

/** A page that cannot do what it is for, and where to go instead. */
export function DeadEnd({ title, reason, to, wayOn }: Props): ReactNode {
  return (
    <AuthFrame title={title} below={<TextLink to="/">Go to the start page</TextLink>}>
      <Alert color="yellow" role="alert">
        {reason}
      </Alert>
      <ButtonLink to={to} size="md">
        {wayOn}
      </ButtonLink>
    </AuthFrame>
  )
}

/** What to say of an address that lacks its code, however it came to. */
export const missingCode = 'This link is incomplete. Open the link in the e-mail again, or ask for a new one.'
