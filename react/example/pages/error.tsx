import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { Link } from '../router'
import { wordsFor } from '../words'

/** Where the platform sends people who could not be signed in at a provider; the address says why. */
export function ErrorPage(): ReactNode {
  const app = useApp()
  const { run, ...read } = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  useEffect(() => {
    run().catch(() => undefined)
  }, [run])
  return (
    <HandlerPage title="That did not work">
      <p role="alert">
        {read.status === 'failed' && wordsFor(read.error)}
        {read.status === 'done' && 'Something went wrong, and this page does not know what.'}
      </p>
      <Link to="/handler/sign-in">Back to sign-in</Link>
    </HandlerPage>
  )
}
