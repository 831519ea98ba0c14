import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { MissingCode } from '../components/missing-code'
import { Problem } from '../components/problem'
import { Link, queryParameter } from '../router'

/** Where the link of the mail leads. A person presses a button, because mail scanners open links too. */
export function EmailVerificationPage(): ReactNode {
  const app = useApp()
  const [code] = useState(() => queryParameter('code'))
  const verify = useAction((text: string) => app.verifyEmail({ code: text }))
  const isBusy = verify.status === 'running'
  if (code === null) return <MissingCode title="Verify your address" />
  if (verify.status === 'done')
    return (
      <HandlerPage title="Your address is verified">
        <Link to="/">Go on</Link>
      </HandlerPage>
    )
  return (
    <HandlerPage title="Verify your address">
      <button aria-busy={isBusy} onClick={() => void (isBusy || verify.run(code))}>
        Verify it
      </button>
      <Problem of={verify} />
    </HandlerPage>
  )
}
