import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { Page } from '../shell/page'
import { ButtonLink } from '../ui/button'

const title = 'Page not found'
const reason = 'There is nothing at this address. The link may be old or mistyped.'
const wayOn = 'Go to the start page'

/** The page for an address without one. */
export function NotFoundPage(): ReactNode {
  return (
    <AuthFrame title={title} subtitle={reason}>
      <ButtonLink to="/">{wayOn}</ButtonLink>
    </AuthFrame>
  )
}

/** The same within the frame of an app. */
export function NotFound(): ReactNode {
  return (
    <Page title={title}>
      <p className="dim">{reason}</p>
      <div className="row">
        <ButtonLink to="/">{wayOn}</ButtonLink>
      </div>
    </Page>
  )
}
