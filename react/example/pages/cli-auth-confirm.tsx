import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { MissingCode } from '../components/missing-code'
import { Problem } from '../components/problem'
import { Link, queryParameter } from '../router'

/** A program on this or another machine wants to be signed in. It gets this very session, so a person has to say so. */
export function CliAuthConfirmPage(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const [loginCode] = useState(() => queryParameter('login_code'))
  const confirm = useAction((code: string) => app.completeCliLogin({ loginCode: code }))
  const isBusy = confirm.status === 'running'
  if (loginCode === null) return <MissingCode title="Sign a program in" />
  if (confirm.status === 'done')
    return (
      <HandlerPage title="The program is signed in">
        <p>You can close this page.</p>
      </HandlerPage>
    )
  return (
    <HandlerPage title="Sign a program in?">
      <p>
        A program that runs in a terminal wants to act as <b>{user.primaryEmail ?? user.displayName ?? user.id}</b>. It
        can do everything that you can do here, until you sign out.
      </p>
      <p className="note">Go on only if you have started it yourself, just now.</p>
      <button aria-busy={isBusy} onClick={() => void (isBusy || confirm.run(loginCode))}>
        Sign it in
      </button>
      <Problem of={confirm} />
      <Link to="/">No, it was not me</Link>
    </HandlerPage>
  )
}
