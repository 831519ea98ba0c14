import { Component } from 'react'
import type { ReactNode } from 'react'
import { AuthError, isAuthError } from 'rxauth'
import { Button } from '../ui/button'
import { Problem } from '../ui/problem'
import { AuthFrame } from './auth-frame'

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
    const known = isAuthError(error) ? error : new AuthError('CALLBACK_FAILED', 'the page threw', { cause: error })
    return (
      <AuthFrame title="Something went wrong">
        <Problem of={{ status: 'failed', error: known }} />
        <Button onClick={() => this.setState({ error: undefined })}>Try again</Button>
      </AuthFrame>
    )
  }
}
