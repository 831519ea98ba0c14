import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Waiting } from './waiting'

/** Signs out, and goes where that leads: the start page, which says that it is done. */
export function SignOutPage(): ReactNode {
  const app = useApp()
  const hasAsked = useRef(false)
  useEffect(() => {
    // React's strict mode runs effects twice.
    if (hasAsked.current) return
    hasAsked.current = true
    void app.signOut().then(() => app.redirectToAfterSignOut({ replace: true }))
  }, [app])
  return <Waiting title="Signing you out…" />
}
