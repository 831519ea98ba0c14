import { useRef, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { MissingCode } from '../components/missing-code'
import { Problem } from '../components/problem'
import { Link, queryParameter } from '../router'

/** Where the link of the mail leads. */
export function PasswordResetPage(): ReactNode {
  const app = useApp()
  const [code] = useState(() => queryParameter('code'))
  const password = useRef<HTMLInputElement>(null)
  const reset = useAction((input: { code: string; password: string }) => app.resetPassword(input))
  const isBusy = reset.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy && code !== null) void reset.run({ code, password: password.current?.value ?? '' })
  }
  if (code === null) return <MissingCode title="A new password" />
  if (reset.status === 'done')
    return (
      <HandlerPage title="Your password is changed">
        <p>You are signed out everywhere else.</p>
        <Link to="/handler/sign-in">Sign in with it</Link>
      </HandlerPage>
    )
  return (
    <HandlerPage title="A new password" hasFocus>
      <form onSubmit={submit} aria-label="New one">
        <label htmlFor="password">New password</label>
        <input
          id="password"
          ref={password}
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={70}
          required
          autoFocus
          aria-describedby="problem"
        />
        <Problem of={reset} id="problem" />
        <button type="submit" aria-busy={isBusy}>
          Change it
        </button>
      </form>
      <Link to="/handler/forgot-password">Send another mail</Link>
    </HandlerPage>
  )
}
