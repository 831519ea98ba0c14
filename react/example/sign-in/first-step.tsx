import { FingerPrintIcon, KeyIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useAction, useApp, useFlow, usePasskeyAutofill, useSavedSignIn } from 'rxauth/react'
import { Button } from '../ui/button'
import { EmailForm } from '../ui/email-form'
import { Problem } from '../ui/problem'
import { InAppNotice, LastUsed, useMethodHere } from './method-here'
import type { Methods } from './methods'
import { ProviderButtons } from './provider-buttons'
import { useWords } from '../words/use-words'

interface Props {
  readonly methods: Methods
  readonly hasGuests: boolean
  readonly address: string
  readonly onAddress: (email: string) => void
}

/** The button for all that is saved, then providers, the address, and methods that need neither. */
export function FirstStep({ methods, hasGuests, address, onAddress }: Props): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const flow = useFlow()
  const saved = useSavedSignIn()
  const usePasskey = useAction(() => app.signInWithPasskey())
  const sendLink = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  const goOn = useAction(async (email: string) => onAddress(email))
  usePasskeyAutofill(methods.passkeyEnabled)
  const passkey = useMethodHere('passkey')
  const lastAddress = useLastAddressMethod()
  const providers = methods.enabledOauthProviders.map(({ id }) => id)
  const takesAddress = methods.credentialEnabled || methods.magicLinkEnabled
  return (
    <div className="auth-stack loose">
      {/* A mailed code that can be used no more ends the wait for it. */}
      {flow.status === 'failed' && flow.error.code.startsWith('VERIFICATION_CODE') && (
        <Problem of={{ status: 'failed', error: flow.error }} />
      )}
      {saved.isOffered && (
        <div className="auth-stack snug">
          <Button icon={<KeyIcon width={18} />} does={saved}>
            {words.withSaved}
          </Button>
          <Problem of={saved} />
        </div>
      )}
      {providers.length > 0 && <ProviderButtons ids={providers} />}
      {providers.length > 0 && takesAddress && <p className="or">{words.or}</p>}
      {takesAddress && (
        <EmailForm
          label={words.email}
          autoComplete={methods.passkeyEnabled ? 'username webauthn' : 'username'}
          initial={address}
          hint={lastAddress}
          submit={methods.credentialEnabled ? words.next : words.sendLink}
          action={methods.credentialEnabled ? goOn : sendLink}
        />
      )}
      <div className="auth-stack snug">
        {methods.passkeyEnabled && passkey?.why !== 'no-webauthn' && (
          <Button
            kind="plain"
            icon={<FingerPrintIcon width={18} />}
            after={passkey?.lastUsed && <LastUsed />}
            does={usePasskey}
          >
            {words.withPasskey}
          </Button>
        )}
        <InAppNotice of={passkey} what={words.aPasskey} />
        <Problem of={usePasskey} />
        {hasGuests && <LookAround />}
      </div>
    </div>
  )
}

/** The label of the last method, if it needs the address first: the password or the mailed link. */
function useLastAddressMethod(): string | undefined {
  const { signIn: words } = useWords()
  const password = useMethodHere('password')
  const link = useMethodHere('magic-link')
  if (password?.lastUsed) return words.lastPassword
  return link?.lastUsed ? words.lastLink : undefined
}

function LookAround(): ReactNode {
  const { signIn: words } = useWords()
  const app = useApp()
  const stayUnknown = useAction(async () => {
    await app.signUpAnonymously()
    // The page that led here, if one did, is for users with an account, and would lead back.
    await app.redirectTo('home', { replace: true })
  })
  return (
    <>
      <Button kind="quiet" does={stayUnknown}>
        {words.asGuest}
      </Button>
      <Problem of={stayUnknown} />
    </>
  )
}
