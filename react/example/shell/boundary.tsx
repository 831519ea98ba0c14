import { Component } from 'react'
import type { ReactNode } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { useWords } from '../words/use-words'
import { TryAgain } from './auth-frame'

interface Props {
  readonly children: ReactNode
}

/** Shows an error thrown by a page, with a button to try again. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <Failed error={error} again={async () => this.setState({ error: undefined })} />
  }
}

function Failed({ error, again }: { readonly error: unknown; readonly again: () => Promise<void> }): ReactNode {
  const { pages } = useWords()
  const known = isAuthError(error) ? error : new AuthError('CALLBACK_FAILED', 'the page threw', { cause: error })
  return <TryAgain title={pages.failed} of={{ status: 'failed', error: known }} again={again} />
}
