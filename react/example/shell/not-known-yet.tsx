import type { ReactNode } from 'react'
import { isAuthError } from 'rxauth'
import type { AuthError } from 'rxauth'
import { useApp } from 'rxauth/react'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { usePath } from '../ui/navigation'
import { useOnline } from '../ui/use-online'
import { useWords, wordsFor } from '../words/use-words'

interface Props {
  readonly error?: AuthError | undefined
  readonly isWide?: boolean | undefined
}

/** The addresses of pages with a list of their sections beside them. */
const withSections = /^\/(handler\/(account-settings|team)|projects\/[^/]+)(\/|$)/

/** A page's placeholder until the user is known, with a button to try again if loading fails. */
export function NotKnownYet({ error, isWide = false }: Props): ReactNode {
  const app = useApp()
  const words = useWords()
  const online = useOnline()
  const hasSections = withSections.test(usePath())
  const still = error ? 'still' : ''
  // `auth$` has the result, and shows this page.
  const tryAgain = () => void app.user$.refresh().catch(() => undefined)
  return (
    <div className="auth contents">
      {/* The outline in index.html of the example is the same. */}
      <main className={isWide ? 'page wide outline' : 'page outline'}>
        <h1 className="for-readers">{words.pages.oneMoment}</h1>
        <div className="auth-skeleton bar-shape" />
        <div className={hasSections ? 'with-sidebar' : ''}>
          {hasSections && <div className={`auth-skeleton sections-shape ${still}`} />}
          <div className="auth-stack">
            {!online && (
              <Alert kind="warning" role="status">
                {words.shell.offline}
              </Alert>
            )}
            {online && error && (
              <Alert
                kind="danger"
                role="alert"
                action={
                  <Button kind="plain" isSmall onClick={tryAgain}>
                    {words.ui.tryAgain}
                  </Button>
                }
              >
                {isAuthError(error) && wordsFor(error, words)}
              </Alert>
            )}
            <div className="auth-stack" role="status" aria-busy={!error} aria-label={words.ui.loading}>
              <div className={`auth-skeleton ${still}`} style={{ height: 28, width: '40%' }} />
              <div className={`auth-skeleton ${still}`} style={{ height: 140 }} />
              <div className={`auth-skeleton ${still}`} style={{ height: 140 }} />
            </div>
          </div>
        </div>
      </main>
    </div>
  )
}
