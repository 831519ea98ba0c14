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
import { useWords } from '../../words/use-words'

/** Switches the second factor on, step by step, or off. */
export function TwoStepSection({ isOn }: { readonly isOn: boolean }): ReactNode {
  const app = useApp()
  const words = useWords().account.security
  const start = useAction(() => app.startTotpEnrolment())
  const isSettingUp = !isOn && start.status === 'done'
  return (
    <Section
      title={words.twoStep}
      description={words.twoStepText}
      action={
        isOn ? (
          <div className="auth-row">
            <StatusBadge kind="good">{words.on}</StatusBadge>
            <ConfirmButton
              question={words.turnOffQuestion}
              consequence={words.turnOffText}
              answer={words.turnOff}
              run={async () => {
                await app.disableTotp()
                start.reset()
              }}
            >
              {words.turnOff}
            </ConfirmButton>
          </div>
        ) : (
          !isSettingUp && (
            <Button kind="plain" does={start}>
              {words.setUp}
            </Button>
          )
        )
      }
    >
      <Problem of={start} />
      {(isOn || isSettingUp) && (
        <Alert kind="warning" icon={<ExclamationTriangleIcon />}>
          {isOn ? words.noRecovery : words.noRecoveryYet}
        </Alert>
      )}
      {isSettingUp && <TwoStepSetUp enrolment={start.value} onCancel={start.reset} />}
    </Section>
  )
}
