import { Button, Center, Group, Stack, Stepper, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { TotpEnrolment } from 'rxauth'
import { useApp } from 'rxauth/react'
import { renderSVG } from 'uqr'
import { CodeInput } from '../../ui/code-input'
import { CopyField } from '../../ui/copy-field'

interface Props {
  readonly enrolment: TotpEnrolment
  readonly onCancel: () => void
}

/** Shows the secret, then asks for a code of the app. Nothing is saved before the code is right. */
export function TwoStepSetUp({ enrolment, onCancel }: Props): ReactNode {
  const app = useApp()
  const [step, setStep] = useState(0)
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(enrolment.uri))}`
  return (
    <Stepper active={step} onStepClick={setStep} size="sm" allowNextStepsSelect={false}>
      <Stepper.Step label="Scan" description="with your app">
        <Stack gap="md">
          <Text size="sm">Scan this with an authenticator app, such as Google Authenticator or 1Password.</Text>
          <Center>
            <img className="qr" src={picture} alt="QR code for an authenticator app" width={192} height={192} />
          </Center>
          <Text size="sm">Or enter this key in the app:</Text>
          <CopyField label="Key for the authenticator app" value={enrolment.base32} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button onClick={() => setStep(1)}>Next</Button>
          </Group>
        </Stack>
      </Stepper.Step>
      <Stepper.Step label="Confirm" description="with its code">
        <Stack gap="md">
          <CodeInput
            label="Code that the app shows"
            kind="digits"
            onComplete={totp => app.enableTotp({ secret: enrolment.secret, totp })}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={() => setStep(0)}>
              Back
            </Button>
          </Group>
        </Stack>
      </Stepper.Step>
    </Stepper>
  )
}
