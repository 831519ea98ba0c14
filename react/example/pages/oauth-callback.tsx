import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { Problem } from '../components/problem'
import { Link } from '../router'

/** Where a provider sends people back to. What comes of it, `flow$` tells the routing. */
export function OAuthCallbackPage(): ReactNode {
  const app = useApp()
  useAuthRouting()
  const { run, ...arrive } = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  useEffect(() => {
    run().catch(() => undefined)
  }, [run])
  const isIgnored = arrive.status === 'done' && 'status' in arrive.value
  if (arrive.status === 'failed' || isIgnored)
    return (
      <HandlerPage title="Not signed in">
        <Problem of={arrive} />
        {isIgnored && <p role="alert">This address ends no sign-in that was begun in this browser.</p>}
        {arrive.status === 'failed' && <button onClick={() => void run()}>Try again</button>}
        <Link to="/handler/sign-in">Back to sign-in</Link>
      </HandlerPage>
    )
  return (
    <HandlerPage title="Signing you in…">
      <p role="status" aria-busy="true">
        One moment.
      </p>
    </HandlerPage>
  )
}
