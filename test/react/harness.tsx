import { act, render, type RenderResult } from '@testing-library/react'
import { Component, StrictMode, Suspense, type ReactElement, type ReactNode } from 'react'
import { isAuthError, type ClientApp } from 'rxauth'
import { AuthProvider } from 'rxauth/react'
import { world, type World } from '../world'

interface BoundaryProps {
  readonly children: ReactNode
}

/** Shows the code of a thrown error, and a button that tries again. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const text = isAuthError(error) ? error.code : error instanceof Error ? error.message : 'no error'
    return (
      <>
        <p>failed: {text}</p>
        <button onClick={() => this.setState({ error: undefined })}>Try again</button>
      </>
    )
  }
}

/** The page of an app: provider, error boundary, fallback. */
export function page(app: ClientApp, children: ReactNode, options: { readonly strict?: boolean } = {}): ReactElement {
  const tree = (
    <AuthProvider app={app}>
      <Boundary>
        <Suspense fallback={<p>loading</p>}>{children}</Suspense>
      </Boundary>
    </AuthProvider>
  )
  return options.strict ? <StrictMode>{tree}</StrictMode> : tree
}

export interface ReactWorld extends World {
  /** Renders a page, which shows the values known so far. */
  show(children: ReactNode, options?: { readonly strict?: boolean; readonly app?: ClientApp }): RenderResult
  /** Time passes, and React shows the result. */
  pass(millis: number): Promise<void>
}

export async function reactWorld(options?: Parameters<typeof world>[0]): Promise<ReactWorld> {
  const inner = await world(options)
  return {
    ...inner,
    show: (children, { app = inner.app, ...rest } = {}) => render(page(app, children, rest)),
    pass: millis => act(() => inner.clock.advance(millis)),
  }
}

/** React reports what reaches an error boundary; a test that expects it keeps its output clean. */
export function silenceReports(): jest.SpyInstance {
  return jest.spyOn(console, 'error').mockImplementation(() => undefined)
}
