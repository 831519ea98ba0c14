import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'

/** Signs out, and goes where that leads. */
export function SignOutPage(): ReactNode {
  const app = useApp()
  useEffect(() => {
    void app.signOut().then(() => app.redirectToAfterSignOut({ replace: true }))
  }, [app])
  return (
    <HandlerPage title="Signing you out…">
      <p role="status" aria-busy="true">
        One moment.
      </p>
    </HandlerPage>
  )
}
