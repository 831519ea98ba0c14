import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
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
      description="Signing in then also takes a code from an authenticator app on your phone."
      action={
        isOn ? (
          <Group gap="sm">
            <StatusBadge>On</StatusBadge>
            <ConfirmButton
              size="sm"
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
          </Group>
        ) : (
          !isSettingUp && (
            <Button
              variant="default"
              loading={start.status === 'running'}
              onClick={() => void start.run().catch(() => undefined)}
            >
              Set up
            </Button>
          )
        )
      }
    >
      <Problem of={start} />
      {isSettingUp && <TwoStepSetUp enrolment={start.value} onCancel={start.reset} />}
    </Section>
  )
}
