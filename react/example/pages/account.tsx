import { Suspense, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
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
        <AccountCard />
      </Frame>
    </Suspense>
  )
}
