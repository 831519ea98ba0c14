import { Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { AccountCard } from '../components/account-card'
import { Frame } from '../components/frame'
import { LastKnown } from '../components/last-known'
import { UserBar } from '../components/user-bar'

export function AccountPage(): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone; without this a keyboard starts again at the top of the window.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Suspense>
      <title>Your account · rxauth example</title>
      <Frame right={<UserBar />}>
        <LastKnown />
        <h1 ref={heading} tabIndex={-1}>
          Your account
        </h1>
        <OnlyLooking />
        <AccountCard />
      </Frame>
    </Suspense>
  )
}

/** An anonymous user is somebody, but nobody who could come back. */
function OnlyLooking(): ReactNode {
  const user = useUser({ or: 'anonymous' })
  if (!user?.isAnonymous) return null
  return (
    <p className="note calm" role="status">
      You are looking around without an account. When you sign out, nobody can come back to this one.
    </p>
  )
}
