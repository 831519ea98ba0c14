import { Component, Suspense, useSyncExternalStore, type ReactNode } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { useApp } from 'rxauth/react'
import { Alert } from '../ui/alert'
import { usePath } from '../ui/navigation'
import { StoreFailure, useOnline } from '../ui/with-store'
import { useWords } from '../words/use-words'
import { TryAgain } from './auth-frame'

interface Props {
  /** A page with another name starts anew; the path, unless it is given. */
  readonly name?: string
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** Around each page: its outline until the user is known, and a text with a button if it fails. */
export function Screen({ name, isWide, children }: Props): ReactNode {
  const path = usePath()
  // A server does not know the address with its code, nor the user.
  const isInBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const outline = <NotKnownYet isWide={isWide} />
  return (
    <Boundary key={name ?? path} page={path}>
      <Suspense fallback={outline}>{isInBrowser ? children : outline}</Suspense>
    </Boundary>
  )
}

const never = () => () => undefined

interface BoundaryProps {
  /** Another page is shown, whatever the one before has thrown. */
  readonly page: string
  readonly children: ReactNode
}

interface BoundaryState {
  readonly page: string
  readonly error: unknown
}

/** rxauth throws an error to every render of 300 ms after the last one, and a timer may be late. */
const [againMillis, mostAgain] = [350, 5]

/** Shows an error thrown by a page, with a button to try again. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { page: this.props.page, error: undefined }

  static getDerivedStateFromProps({ page }: BoundaryProps, state: BoundaryState) {
    return page === state.page ? null : { page, error: undefined }
  }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  /** The error that was shown when "Try again" was pressed, and how often the page was shown since then. */
  #left: { readonly error: unknown; readonly times: number } | undefined

  override componentDidCatch(error: unknown) {
    const left = this.#left
    if (left && left.error === error && left.times < mostAgain)
      setTimeout(() => this.#again(left.times + 1), againMillis)
  }

  #again(times: number) {
    this.#left = { error: this.state.error, times }
    this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Failed error={error} again={async () => this.#again(1)} />
  }
}

function Failed({ error, again }: { readonly error: unknown; readonly again: () => Promise<void> }): ReactNode {
  const { pages } = useWords()
  const known = isAuthError(error) ? error : new AuthError('CALLBACK_FAILED', 'the page threw', { cause: error })
  return <TryAgain title={pages.failed} of={{ status: 'failed', error: known }} again={again} />
}

interface NotKnownYetProps {
  readonly error?: AuthError | undefined
  readonly isWide?: boolean | undefined
}

/** The addresses of pages with a list of their sections beside them. */
const withSections = /^\/(handler\/(account-settings|team)|projects\/[^/]+)(\/|$)/

/** A page's placeholder until the user is known, with a button to try again if loading fails. */
export function NotKnownYet({ error, isWide = false }: NotKnownYetProps): ReactNode {
  const app = useApp()
  const words = useWords()
  const online = useOnline()
  const hasSections = withSections.test(usePath())
  const still = error ? 'still' : ''
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
            {online && isAuthError(error) && <StoreFailure error={error} isRetrying={false} store={app.user$} />}
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
