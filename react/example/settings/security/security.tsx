import type { ReactNode } from 'react'
import { useUser } from 'rxauth/react'
import { PasskeySection } from './passkey-section'
import { PasswordSection } from './password-section'
import { TwoStepSection } from './two-step-section'

/** The sign-in methods of the account. */
export function Security(): ReactNode {
  const user = useUser({ or: 'redirect' })
  return (
    <>
      <PasswordSection email={user.primaryEmail} hasPassword={user.hasPassword} />
      <PasskeySection hasPasskey={user.passkeyAuthEnabled} />
      <TwoStepSection isOn={user.requiresTotpMfa} />
    </>
  )
}
