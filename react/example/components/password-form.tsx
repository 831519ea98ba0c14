import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Link } from '../router'
import { usePasskeyAutofill } from '../use-passkey-autofill'
import { Problem } from './problem'

export type Mode = 'sign-in' | 'sign-up'

interface Props {
  readonly mode: Mode
  readonly title: string
  readonly onModeChange: (mode: Mode) => void
}

const changes = {
  'sign-in': { other: 'New here?', text: 'Create an account', to: 'sign-up' },
  'sign-up': { other: 'You have an account?', text: 'Sign in', to: 'sign-in' },
} as const

/** Signing in and signing up with e-mail and password. What follows a success is up to who listens to `flow$` and `auth$`. */
export function PasswordForm({ mode, title, onModeChange }: Props): ReactNode {
  const app = useApp()
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  usePasskeyAutofill()
  const enter = useAction(async (input: { email: string; password: string }) => {
    const result = await (mode === 'sign-in' ? app.signInWithPassword(input) : app.signUpWithPassword(input))
    const isEmailTaken = !result.ok && result.error.code === 'USER_EMAIL_ALREADY_EXISTS'
    if (!result.ok) (isEmailTaken ? email : password).current?.select()
    return result
  })
  const isBusy = enter.status === 'running'

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    void enter.run({ email: email.current?.value ?? '', password: password.current?.value ?? '' })
  }
  const { other, text, to } = changes[mode]
  const change = () => {
    onModeChange(to)
    enter.reset()
    email.current?.focus()
  }
  return (
    <>
      <h1>{title}</h1>
      <form onSubmit={submit} aria-label={title}>
        <label htmlFor="email">E-mail</label>
        <input id="email" ref={email} type="email" autoComplete="username webauthn" required autoFocus />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          ref={password}
          type="password"
          autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
          required
          aria-describedby="problem"
        />
        <Problem of={enter} id="problem" />
        <button type="submit" aria-busy={isBusy}>
          {title}
        </button>
      </form>
      <p className="change">
        {other}{' '}
        <button type="button" className="link" onClick={change}>
          {text}
        </button>
      </p>
      {mode === 'sign-in' && (
        <p className="change">
          <Link to="/handler/forgot-password">Forgot your password?</Link>
        </p>
      )}
    </>
  )
}
