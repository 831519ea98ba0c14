import { useRef } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp, useAuthRouting, useFlow } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { Problem } from '../components/problem'
import { Link } from '../router'
import { wordsFor } from '../words'

/** The second factor of whatever first one asked for it. */
export function MfaPage(): ReactNode {
  useAuthRouting()
  const flow = useFlow()
  return (
    <HandlerPage title="One more step" hasFocus={flow.step === 'second-factor'}>
      {flow.step === 'second-factor' ? <DigitsForm /> : <NothingToContinue />}
    </HandlerPage>
  )
}

function DigitsForm(): ReactNode {
  const app = useApp()
  const digits = useRef<HTMLInputElement>(null)
  const enter = useAction(async (totp: string) => {
    const result = await app.continueSignIn({ totp })
    if (!result.ok) digits.current?.select()
    return result
  })
  const isBusy = enter.status === 'running'
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isBusy) void enter.run(digits.current?.value ?? '')
  }
  return (
    <form onSubmit={submit} aria-label="Second factor">
      <label htmlFor="digits">Six digits of your authenticator</label>
      <input
        id="digits"
        ref={digits}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        aria-describedby="problem"
      />
      <Problem of={enter} id="problem" />
      <button type="submit" aria-busy={isBusy}>
        Continue
      </button>
    </form>
  )
}

function NothingToContinue(): ReactNode {
  const flow = useFlow()
  return (
    <>
      <p role="alert">{flow.step === 'failed' ? wordsFor(flow.error) : 'There is no sign-in to continue here.'}</p>
      <Link to="/handler/sign-in">Sign in again</Link>
    </>
  )
}
