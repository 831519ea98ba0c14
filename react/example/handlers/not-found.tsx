import type { ReactNode } from 'react'
import { AuthFrame } from '../shell/auth-frame'
import { Page } from '../shell/section-page'
import { ButtonLink } from '../ui/button'
import { useWords } from '../words/use-words'

/** The page for an address without one. */
export function NotFoundPage(): ReactNode {
  const { notFound: words, toStart } = useWords().pages
  return (
    <AuthFrame title={words.title} subtitle={words.text}>
      <ButtonLink label={toStart} to="/" />
    </AuthFrame>
  )
}

/** The page for an unknown address, within the frame of an app. */
export function NotFound(): ReactNode {
  const { notFound: words, toStart } = useWords().pages
  return (
    <Page title={words.title}>
      <p className="dim">{words.text}</p>
      <div className="auth-row">
        <ButtonLink label={toStart} to="/" />
      </div>
    </Page>
  )
}
