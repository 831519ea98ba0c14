import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../ui/button'
import { PasswordField, TextField } from '../ui/field'
import { TextLink } from '../ui/link'
import { Problem, problemOf } from '../ui/problem'
import type { Methods } from './methods'
import { useWords } from '../words/use-words'

interface Props {
  readonly email: string
  readonly methods: Methods
  readonly onBack: () => void
}

/** The password for an address, or a link by mail. After a success the page follows `flow$`. */
export function PasswordStep({ email, methods, onBack }: Props): ReactNode {
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
  const sendLink = useAction(() => app.sendMagicLinkEmail({ email }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (enter.status !== 'running') void enter.run().catch(() => undefined)
  }
  return (
    <div className="auth-stack loose">
      <form className="auth-stack" onSubmit={submit} aria-label={texts.submit}>
        {/* Password managers look for it. */}
        <TextField
          label={texts.email}
          type="email"
          autoComplete="username"
          readOnly
          value={email}
          after={
            <Button kind="quiet" isSmall onClick={onBack}>
              {texts.change}
            </Button>
          }
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
        <Button type="submit" isBusy={enter.status === 'running'}>
          {texts.submit}
        </Button>
        <TextLink className="centred" to="/handler/forgot-password">
          {texts.forgot}
        </TextLink>
      </form>
      {methods.magicLinkEnabled && (
        <>
          <p className="or">{texts.or}</p>
          <div className="auth-stack snug">
            <Button kind="plain" does={sendLink}>
              {texts.sendLink}
            </Button>
            <Problem of={sendLink} />
          </div>
        </>
      )}
    </div>
  )
}
