import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'

/** Registers or removes a passkey. */
export function PasskeySection({ hasPasskey }: { readonly hasPasskey: boolean }): ReactNode {
  const app = useApp()
  const make = useAction(() => app.registerPasskey())
  return (
    <Section
      title="Passkey"
      description="Sign in with your fingerprint, face or screen lock instead of a password."
      action={
        hasPasskey ? (
          <div className="row">
            <StatusBadge>On</StatusBadge>
            <ConfirmButton
              question="Remove your passkey?"
              consequence="You can no longer sign in with it. You can add a new one at any time."
              answer="Remove passkey"
              run={() => app.updateUser({ passkeyAuthEnabled: false })}
            >
              Remove
            </ConfirmButton>
          </div>
        ) : (
          <Button kind="plain" does={make}>
            Add a passkey
          </Button>
        )
      }
    >
      <Problem of={make} />
    </Section>
  )
}
