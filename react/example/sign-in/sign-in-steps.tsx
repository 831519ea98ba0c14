import { FingerPrintIcon, KeyIcon } from '@heroicons/react/24/outline'
import { useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { useAction, useApp, useFlow, usePasskeyAutofill, useSavedSignIn } from 'rxauth/react'
import { Problem, problemOf } from '../ui/alert'
import { ActionButton, Button, TextLink } from '../ui/button'
import { PasswordField, TextField } from '../ui/field'
import { EmailForm } from '../ui/short-forms'
import { useWords } from '../words/use-words'
import { InAppNotice, LastUsed, ProviderButtons, takesAddress, useMethodHere, type Methods } from './methods'

interface Props {
  readonly methods: Methods
  readonly hasGuests: boolean
}

/** One step at a time: the address, then its password. */
export function SignInSteps({ methods, hasGuests }: Props): ReactNode {
  const [address, setAddress] = useState('')
  const [step, setStep] = useState<'address' | 'password'>('address')
  if (step === 'password') return <PasswordStep email={address} methods={methods} onBack={() => setStep('address')} />
  return (
    <FirstStep
      methods={methods}
      hasGuests={hasGuests}
      address={address}
      onAddress={email => {
        setAddress(email)
        setStep('password')
      }}
    />
  )
}

interface FirstStepProps extends Props {
  readonly address: string
  readonly onAddress: (email: string) => void
}

/** The button for all that is saved, then providers, the address, and methods that need neither. */
function FirstStep({ methods, hasGuests, address, onAddress }: FirstStepProps): ReactNode {
  const { signIn: words, ui } = useWords()
  const app = useApp()
  const flow = useFlow()
  const saved = useSavedSignIn()
  const sendLink = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  const goOn = useAction(async (email: string) => onAddress(email))
  usePasskeyAutofill(methods.passkeyEnabled)
  const passkey = useMethodHere('passkey')
  const [password, link] = [useMethodHere('password'), useMethodHere('magic-link')]
  return (
    <div className="auth-stack loose">
      {/* A mailed code that can be used no more ends the wait for it. */}
      {flow.status === 'failed' && flow.error.code.startsWith('VERIFICATION_CODE') && (
        <Problem of={{ status: 'failed', error: flow.error }} />
      )}
      {saved.isOffered && (
        <div className="auth-stack snug">
          <Button label={words.withSaved} icon={<KeyIcon width={18} />} does={saved} />
          <Problem of={saved} />
        </div>
      )}
      <ProviderButtons methods={methods} />
      {takesAddress(methods) && (
        <EmailForm
          label={ui.email}
          autoComplete={methods.passkeyEnabled ? 'username webauthn' : 'username'}
          initial={address}
          hint={password?.lastUsed ? words.lastPassword : link?.lastUsed ? words.lastLink : undefined}
          submit={methods.credentialEnabled ? ui.next : words.sendLink}
          action={methods.credentialEnabled ? goOn : sendLink}
        />
      )}
      <div className="auth-stack snug">
        {methods.passkeyEnabled && passkey?.why !== 'no-webauthn' && (
          <ActionButton
            label={words.withPasskey}
            kind="plain"
            icon={<FingerPrintIcon width={18} />}
            after={passkey?.lastUsed && <LastUsed />}
            run={() => app.signInWithPasskey()}
          />
        )}
        <InAppNotice of={passkey} what={words.aPasskey} />
        {hasGuests && (
          <ActionButton
            label={words.asGuest}
            kind="quiet"
            run={async () => {
              await app.signUpAnonymously()
              // The page that led here, if one did, is for users with an account, and would lead back.
              await app.redirectTo('home', { replace: true })
            }}
          />
        )}
      </div>
    </div>
  )
}

interface PasswordStepProps {
  readonly email: string
  readonly methods: Methods
  readonly onBack: () => void
}

/** The password for an address, or a link by mail. After a success the page follows `flow$`. */
export function PasswordStep({ email, methods, onBack }: PasswordStepProps): ReactNode {
  const words = useWords()
  const texts = words.signIn
  const app = useApp()
  const field = useRef<HTMLInputElement>(null)
  const enter = useAction(async () => {
    // A password manager may fill the field without an event.
    const result = await app.signInWithPassword({ email, password: field.current?.value ?? '' })
    if (!result.ok) field.current?.select()
    return result
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (enter.status !== 'running') void enter.run()
  }
  return (
    <div className="auth-stack loose">
      <form className="auth-stack" onSubmit={submit} aria-label={words.ui.signIn}>
        {/* Password managers look for it. */}
        <TextField
          label={words.ui.email}
          type="email"
          autoComplete="username"
          readOnly
          value={email}
          after={<Button label={texts.change} kind="quiet" isSmall onClick={onBack} />}
        />
        <PasswordField
          ref={field}
          label={texts.password}
          autoComplete="current-password"
          required
          autoFocus
          onChange={() => enter.status === 'failed' && enter.reset()}
          error={problemOf(enter, words)}
        />
        <Button label={words.ui.signIn} type="submit" isBusy={enter.status === 'running'} />
        <TextLink className="centred" to="/handler/forgot-password">
          {texts.forgot}
        </TextLink>
      </form>
      {methods.magicLinkEnabled && (
        <>
          <p className="or">{words.ui.or}</p>
          <div className="auth-stack snug">
            <ActionButton label={texts.sendLink} kind="plain" run={() => app.sendMagicLinkEmail({ email })} />
          </div>
        </>
      )}
    </div>
  )
}
