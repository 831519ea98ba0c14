import { Component } from 'react'
import type { ReactNode } from 'react'
import { isAuthError } from 'rxauth'
import { wordsFor } from '../words'
import { Frame } from './frame'

interface Props {
  readonly children: ReactNode
}

/** What a page throws, in words, and a way to try again. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <Frame>
        <h1>That did not work</h1>
        <div role="alert" className="note">
          <span>{isAuthError(error) ? wordsFor(error) : 'Something went wrong on this page.'}</span>
          <button onClick={() => this.setState({ error: undefined })}>Try again</button>
        </div>
      </Frame>
    )
  }
}
