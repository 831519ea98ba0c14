'use client'
import Link from 'next/link'
import { useApp, useAuth } from 'rxauth/react'

export function Bar() {
  const app = useApp()
  const auth = useAuth()
  return (
    <nav>
      <Link href="/">Start</Link> <Link href="/account">Account</Link> <Link href="/reports">Reports</Link>{' '}
      {auth.status === 'signed-in' ? (
        <>
          <span>{auth.user.displayName ?? auth.user.primaryEmail}</span>{' '}
          <button onClick={() => void app.signOut()}>Sign out</button>
        </>
      ) : (
        <Link href="/sign-in">Sign in</Link>
      )}
    </nav>
  )
}
