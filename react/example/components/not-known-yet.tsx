import type { ReactNode } from 'react'
import type { AuthError } from 'rxauth'
import { useApp } from 'rxauth/react'
import { useOnline } from '../use-online'
import { Frame } from './frame'

/** The shape of a page while nobody knows yet whose it is, and what to do if that stays so. */
export function NotKnownYet({ error }: { readonly error?: AuthError | undefined }): ReactNode {
  const app = useApp()
  const isOnline = useOnline()
  // What comes of it is in `auth$`, which shows this page.
  const tryAgain = () => void app.user$.refresh().catch(() => undefined)
  return (
    <Frame>
      <h1 className="unseen">One moment…</h1>
      <div role="status" className="note" hidden={!error && isOnline}>
        {!isOnline && 'You are offline. This page goes on when you are back.'}
        {isOnline && error && 'The platform cannot be reached.'}
        {isOnline && error && <button onClick={tryAgain}>Try again</button>}
      </div>
      <article aria-busy={!error} aria-label="Loading" className="skeleton">
        <span />
        <span />
        <span />
      </article>
    </Frame>
  )
}
