import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink } from '../ui/button'

export function NotFoundPage(): ReactNode {
  return (
    <AuthFrame title="Page not found" subtitle="There is nothing at this address. The link may be old or mistyped.">
      <ButtonLink to="/">Go to the start page</ButtonLink>
    </AuthFrame>
  )
}
