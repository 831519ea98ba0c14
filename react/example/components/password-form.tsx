import { useRef, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { wordsFor } from '../words'

type Mode = 'sign-in' | 'sign-up'

const texts = {
  'sign-in': { title: 'Sign in', other: 'New here?', change: 'Create an account' },
  'sign-up': { title: 'Create an account', other: 'You have an account?', change: 'Sign in' },
}

/** Signing in and signing up with e-mail and password. What follows a success is up to who listens to `auth$`. */
export function PasswordForm(): ReactNode {
  const app = useApp()
  const [mode, setMode] = useState<Mode>('sign-in')
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
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
  const change = () => {
    setMode(mode === 'sign-in' ? 'sign-up' : 'sign-in')
    enter.reset()
    email.current?.focus()
  }
  const { title, other, change: changeText } = texts[mode]
  return (
    <article>
      <h1>{title}</h1>
      <form onSubmit={submit} aria-label={title}>
        <label htmlFor="email">E-mail</label>
        <input id="email" ref={email} type="email" autoComplete="username" required autoFocus />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          ref={password}
          type="password"
          autoComplete={mode === 'sign-in' ? 'current-password' : 'new-password'}
          required
          aria-describedby="problem"
        />
        <p role="alert" id="problem" className="problem">
          {enter.status === 'failed' && wordsFor(enter.error)}
        </p>
        <button type="submit" aria-busy={isBusy}>
          {title}
        </button>
      </form>
      <p className="change">
        {other}{' '}
        <button type="button" className="link" onClick={change}>
          {changeText}
        </button>
      </p>
    </article>
  )
}
