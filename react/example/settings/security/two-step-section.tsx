import { ExclamationTriangleIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { TwoStepSetUp } from './two-step-set-up'

/** Switches the second factor on, step by step, or off. */
export function TwoStepSection({ isOn }: { readonly isOn: boolean }): ReactNode {
  const app = useApp()
  const start = useAction(() => app.startTotpEnrolment())
  const isSettingUp = !isOn && start.status === 'done'
  return (
    <Section
      title="Two-step verification"
      description="Sign-in then also requires a code from an authenticator app."
      action={
        isOn ? (
          <div className="row">
            <StatusBadge>On</StatusBadge>
            <ConfirmButton
              question="Turn off two-step verification?"
              consequence="Your password or passkey alone will be enough to sign in. Your authenticator app can no longer be used for this account."
              answer="Turn off"
              run={async () => {
                await app.disableTotp()
                start.reset()
              }}
            >
              Turn off
            </ConfirmButton>
          </div>
        ) : (
          !isSettingUp && (
            <Button kind="plain" does={start}>
              Set up
            </Button>
          )
        )
      }
    >
      <Problem of={start} />
      {(isOn || isSettingUp) && (
        <Alert kind="warning" icon={<ExclamationTriangleIcon />}>
          There are no recovery codes. Without your authenticator app you cannot sign in, and only our support can turn
          two-step verification off.{' '}
          {isOn ? 'Keep' : 'Before you continue, save the key in a password manager, or keep'} the app on a second
          device, too.
        </Alert>
      )}
      {isSettingUp && <TwoStepSetUp enrolment={start.value} onCancel={start.reset} />}
    </Section>
  )
}
