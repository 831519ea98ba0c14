import { Component } from 'react'
import type { ReactNode } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { useWords } from '../words/use-words'
import { TryAgain } from './auth-frame'

interface Props {
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
export class Boundary extends Component<Props, BoundaryState> {
  override state: BoundaryState = { page: this.props.page, error: undefined }

  static getDerivedStateFromProps({ page }: Props, state: BoundaryState) {
    return page === state.page ? null : { page, error: undefined }
  }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  /** The error that was shown when "Try again" was pressed, and how often the page was shown since then. */
  #left: { readonly error: unknown; readonly times: number } | undefined

  override componentDidCatch(error: unknown) {
    const left = this.#left
    if (left && left.error === error && left.times < mostAgain) setTimeout(() => this.#again(left.times + 1), againMillis)
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
