import { Fragment, useEffect, useRef, useState, type ReactNode } from 'react'
import { confirmIdentity, signInMethods$, type Confirmation, type CurrentUser, type SignInMethod } from 'rxauth'
import { useAction, useApp, useUser, useValue } from 'rxauth/react'
import { useOwnBackend } from '../../shell/own-backend'
import { useMethods } from '../../sign-in/methods'
import { providerOf } from '../../sign-in/providers'
import { Problem, SwitchedOff } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CodeInput } from '../../ui/code-input'
import { Dialog, useOpen } from '../../ui/dialog'
import { PasswordField } from '../../ui/field'
import { useQueryParameter } from '../../ui/query-parameter'
import { Section } from '../../ui/section'
import { useWords } from '../../words/use-words'

/** Actions that cannot be undone. */
export function DangerZone(): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.danger
  const user = useUser({ or: 'redirect' })
  const backend = useOwnBackend()
  const project = useMethods()
  const isOn = backend.deleteAccount
    ? true
    : project.status === 'ready'
      ? project.value.config.clientUserDeletionEnabled
      : undefined
  const linkCode = useQueryParameter('code')
  const [isOpen, { open, close }] = useOpen(linkCode !== null)
  const deleteAccount = async (confirmation: string) => {
    await (backend.deleteAccount ? backend.deleteAccount(app, { confirmation }) : app.deleteUser())
    // Not on a page for signed-in users, which would redirect to the sign-in.
    await app.user$.refresh()
    await app.redirectTo('afterSignOut', { replace: true })
  }
  return (
    <Section
      title={words.delete}
      isDangerous
      description={words.text}
      action={isOn && <Button label={words.delete} kind="danger" onClick={open} />}
    >
      {isOn === false && <SwitchedOff setting="clientUserDeletionEnabled">{words.isOff}</SwitchedOff>}
      <Dialog isOpen={isOpen && isOn === true} onClose={close} title={words.question}>
        <p>{words.consequence(user.primaryEmail ?? user.id)}</p>
        <ConfirmIdentity user={user} linkCode={linkCode} answer={words.answer} onConfirmed={deleteAccount} />
        <div className="auth-row end">
          <Button label={ui.cancel} kind="plain" onClick={close} />
        </div>
      </Dialog>
    </Section>
  )
}

interface Props {
  readonly user: CurrentUser
  /** The code of the mailed link that has opened this page. */
  readonly linkCode: string | null
  /** The label of the button that confirms. */
  readonly answer: string
  /** Hands the confirmation to the backend. */
  readonly onConfirmed: (confirmation: string) => Promise<void>
}

/** Asks the user to sign in once more, by a method of the account and with its second factor; the session stays. */
export function ConfirmIdentity({ user, linkCode, answer, onConfirmed }: Props): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.danger
  const methods = useValue(signInMethods$(app)).filter(each => each.usable !== false && has(user, each))
  /** The confirmation that waits for the second factor. */
  const [first, setFirst] = useState<Confirmation>()
  const running = useRef<AbortController>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const confirm = useAction(async (input: Confirmation & { readonly totp?: string }) => {
    // A window of a provider that was closed tells nothing: the next attempt ends the last one.
    running.current?.abort()
    running.current = new AbortController()
    const result = await confirmIdentity(app, input, { signal: running.current.signal })
    if (result.ok) await onConfirmed(result.value.confirmation)
    else if (result.error.code === 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') setFirst(input)
    return result
  })
  useEffect(() => () => running.current?.abort(), [])
  const start = (input: Confirmation) => void confirm.run(input)

  if (first) return <CodeInput label={words.totp} kind="digits" onComplete={totp => confirm.run({ ...first, totp })} />
  if (linkCode !== null)
    return (
      <>
        <Problem of={confirm} />
        <Button
          label={answer}
          kind="danger"
          does={{ ...confirm, run: () => confirm.run({ method: 'magic-link', code: linkCode }) }}
        />
      </>
    )
  return (
    <div className="auth-stack snug">
      <Problem of={confirm} />
      {methods.length === 0 && <p>{words.nothing}</p>}
      {methods.map(({ method, provider = '' }, index) => (
        <Fragment key={`${method} ${provider}`}>
          {index > 0 && methods[index - 1]?.method === 'password' && <p className="or">{ui.or}</p>}
          {method === 'password' && (
            <form
              className="auth-stack snug"
              aria-label={words.withPassword}
              onSubmit={event => {
                event.preventDefault()
                // A password manager may fill the field without an event.
                start({ method, password: field.current?.value ?? '' })
              }}
            >
              <PasswordField
                label={words.password}
                autoComplete="current-password"
                required
                data-autofocus
                ref={field}
              />
              <Button label={answer} kind="danger" type="submit" isBusy={confirm.status === 'running'} />
            </form>
          )}
          {method === 'magic-link' && (
            <MailedCode email={user.primaryEmail ?? ''} onCode={code => confirm.run({ method, code })} />
          )}
          {method === 'passkey' && <Button label={words.withPasskey} kind="plain" onClick={() => start({ method })} />}
          {method === 'oauth' && (
            <Button
              label={words.withProvider(providerOf(provider).name)}
              kind="plain"
              icon={providerOf(provider).mark}
              onClick={() => start({ method: 'oauth-popup', provider })}
            />
          )}
        </Fragment>
      ))}
    </div>
  )
}

/** Whether the account can sign in like this; another method would sign a new user up. */
function has(user: CurrentUser, { method, provider }: SignInMethod): boolean {
  switch (method) {
    case 'password':
      return user.hasPassword
    case 'magic-link':
      return user.authWithEmail && user.primaryEmailVerified
    case 'passkey':
      return user.passkeyAuthEnabled
    case 'oauth':
      return user.oauthProviders.some(({ id }) => id === provider)
  }
}

interface MailedCodeProps {
  readonly email: string
  readonly onCode: (code: string) => ReturnType<typeof confirmIdentity>
}

/** The link of the mail opens this page again, which then has its code. */
function MailedCode({ email, onCode }: MailedCodeProps): ReactNode {
  const app = useApp()
  const words = useWords().account.danger
  const send = useAction(() => app.sendMagicLinkEmail({ email, callbackUrl: location.origin + location.pathname }))
  if (send.status === 'done') return <CodeInput label={words.mailedCode(email)} kind="characters" onComplete={onCode} />
  return (
    <>
      <Problem of={send} />
      <Button label={words.sendCode} kind="plain" does={send} />
    </>
  )
}
