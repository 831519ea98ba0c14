import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { Problem } from '../components/problem'
import { Link } from '../router'

/** Asks for a mail; whether there is anybody with that address is not told. */
export function ForgotPasswordPage(): ReactNode {
  const app = useApp()
  const email = useRef<HTMLInputElement>(null)
  const send = useAction((address: string) => app.sendPasswordResetEmail({ email: address }))
  const isBusy = send.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void send.run(email.current?.value ?? '')
  }
  return (
    <HandlerPage title="Forgot your password?" hasFocus>
      <form onSubmit={submit} aria-label="Reset link">
        <label htmlFor="email">E-mail</label>
        <input id="email" ref={email} type="email" autoComplete="email" required autoFocus aria-describedby="problem" />
        <Problem of={send} id="problem" />
        <button type="submit" aria-busy={isBusy}>
          Send a reset link
        </button>
        <p role="status">
          {send.status === 'done' && 'If there is an account with this address, a mail is on its way.'}
        </p>
      </form>
      <Link to="/handler/sign-in">Back to sign-in</Link>
    </HandlerPage>
  )
}
