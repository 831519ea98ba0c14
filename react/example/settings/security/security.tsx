import { ExclamationTriangleIcon } from '@heroicons/react/24/outline'
import { useState, type ReactNode } from 'react'
import type { TotpEnrolment } from 'rxauth'
import { useAction, useApp, useUser } from 'rxauth/react'
import { renderSVG } from 'uqr'
import { Alert, Problem, problemOf } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CodeInput } from '../../ui/code-input'
import { CopyField } from '../../ui/copy-field'
import { ConfirmButton } from '../../ui/dialog'
import { PasswordField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { passwordProblem } from '../../ui/password-limits'
import { Section, StatusBadge } from '../../ui/section'
import { useWords } from '../../words/use-words'

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

interface Props {
  readonly email: string | null
  readonly hasPassword: boolean
}

/** Changes the password, or sets a first one. */
export function PasswordSection({ email, hasPassword }: Props): ReactNode {
  const all = useWords()
  const words = all.account.security
  const app = useApp()
  const form = useForm({
    initial: { current: '', next: '' },
    validate: {
      current: value => (hasPassword && value === '' ? words.noCurrent : null),
      next: passwordProblem(all),
    },
  })
  const change = useAction(async ({ current, next }: { current: string; next: string }) => {
    const result = await (hasPassword
      ? app.updatePassword({ oldPassword: current, newPassword: next })
      : app.setPassword({ password: next }))
    if (result.ok) form.settle()
    return result
  })
  const problem = problemOf(change, all)
  const isCurrentWrong = change.status === 'failed' && change.error.code === 'PASSWORD_CONFIRMATION_MISMATCH'
  return (
    <Section title={words.password} description={hasPassword ? words.passwordChangeText : words.passwordSetText}>
      <Form
        label={words.change}
        form={form}
        action={change}
        submit={hasPassword ? words.change : words.set}
        isSaved={change.status === 'done'}
        savedText={words.changed}
        isProblemShown
      >
        {/* Password managers look for whose password it is. */}
        <input type="hidden" autoComplete="username" value={email ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            className="narrow"
            label={words.current}
            autoComplete="current-password"
            required
            {...form.field('current')}
            error={form.errors.current ?? (isCurrentWrong ? problem : undefined)}
          />
        )}
        <PasswordField
          className="narrow"
          label={words.new}
          autoComplete="new-password"
          required
          {...form.field('next')}
          error={form.errors.next ?? (isCurrentWrong ? undefined : problem)}
        />
      </Form>
    </Section>
  )
}

/** Registers or removes a passkey. */
function PasskeySection({ hasPasskey }: { readonly hasPasskey: boolean }): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.security
  const make = useAction(() => app.registerPasskey())
  return (
    <Section
      title={words.passkey}
      description={words.passkeyText}
      action={
        hasPasskey ? (
          <div className="auth-row">
            <StatusBadge kind="good">{words.on}</StatusBadge>
            <ConfirmButton
              label={ui.remove}
              question={words.removeQuestion}
              consequence={words.removeText}
              answer={words.removeAnswer}
              run={() => app.updateUser({ passkeyAuthEnabled: false })}
            />
          </div>
        ) : (
          <Button label={words.addPasskey} kind="plain" does={make} />
        )
      }
    >
      <Problem of={make} />
    </Section>
  )
}

/** Switches the second factor on, step by step, or off. */
function TwoStepSection({ isOn }: { readonly isOn: boolean }): ReactNode {
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
              label={words.turnOff}
              question={words.turnOffQuestion}
              consequence={words.turnOffText}
              answer={words.turnOff}
              run={async () => {
                await app.disableTotp()
                start.reset()
              }}
            />
          </div>
        ) : (
          !isSettingUp && <Button label={words.setUp} kind="plain" does={start} />
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

interface TwoStepSetUpProps {
  readonly enrolment: TotpEnrolment
  readonly onCancel: () => void
}

/** Shows the secret, then asks for a code of the app. Nothing is saved before the code is right. */
function TwoStepSetUp({ enrolment, onCancel }: TwoStepSetUpProps): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.security
  const [isScanned, setScanned] = useState(false)
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(enrolment.uri))}`
  return (
    <div className="auth-stack">
      <ol className="auth-steps">
        <li aria-current={isScanned ? undefined : 'step'}>{words.scan}</li>
        <li aria-current={isScanned ? 'step' : undefined}>{words.confirm}</li>
      </ol>
      {isScanned ? (
        <>
          <CodeInput
            label={words.code}
            kind="digits"
            onComplete={totp => app.enableTotp({ secret: enrolment.secret, totp })}
          />
          <div className="auth-row end">
            <Button label={words.back} kind="plain" onClick={() => setScanned(false)} />
          </div>
        </>
      ) : (
        <>
          <p>{words.scanText}</p>
          <img className="qr" src={picture} alt={words.qrCode} width={192} height={192} />
          <p>{words.orKey}</p>
          <CopyField label={words.key} value={enrolment.base32} />
          <div className="auth-row end">
            <Button label={ui.cancel} kind="plain" onClick={onCancel} />
            <Button label={words.next} onClick={() => setScanned(true)} />
          </div>
        </>
      )}
    </div>
  )
}
