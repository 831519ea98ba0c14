import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { AccountCard } from '../components/account-card'
import { ConnectedCard } from '../components/connected-card'
import { EmailCard } from '../components/email-card'
import { Frame } from '../components/frame'
import { LastKnown } from '../components/last-known'
import { PasskeyCard } from '../components/passkey-card'
import { PasswordCard } from '../components/password-card'
import { SecondFactorCard } from '../components/second-factor-card'
import { SessionsCard } from '../components/sessions-card'
import { UserBar } from '../components/user-bar'

/** Everything that a person can change about signing in; for signed-in people only. */
export function AccountSettingsPage(): ReactNode {
  const user = useUser({ or: 'redirect' })
  return (
    <>
      <title>Settings · rxauth example</title>
      <Frame right={<UserBar />}>
        <LastKnown />
        <h1>Settings</h1>
        <AccountCard />
        {!user.primaryEmailVerified && user.primaryEmail !== null && <EmailCard email={user.primaryEmail} />}
        <PasswordCard hasPassword={user.hasPassword} />
        <ConnectedCard connected={user.oauthProviders.map(({ id }) => id)} />
        <PasskeyCard hasPasskey={user.passkeyAuthEnabled} />
        <SecondFactorCard isOn={user.requiresTotpMfa} />
        <Suspense fallback={<article aria-busy="true" aria-label="Sessions" />}>
          <SessionsCard />
        </Suspense>
      </Frame>
    </>
  )
}
