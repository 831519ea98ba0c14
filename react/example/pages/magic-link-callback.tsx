import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { HandlerPage } from '../components/handler-page'
import { MissingCode } from '../components/missing-code'
import { Problem } from '../components/problem'
import { Link, queryParameter } from '../router'

/** Where the link of the mail leads. A person presses a button, because mail scanners open links too. */
export function MagicLinkCallbackPage(): ReactNode {
  const app = useApp()
  useAuthRouting()
  const [code] = useState(() => queryParameter('code'))
  const enter = useAction((text: string) => app.signInWithMagicLink({ code: text }))
  const isBusy = enter.status === 'running'
  if (code === null) return <MissingCode title="Welcome back" />
  return (
    <HandlerPage title="Welcome back">
      <button aria-busy={isBusy} onClick={() => void (isBusy || enter.run(code))}>
        Continue
      </button>
      <Problem of={enter} />
      <Link to="/handler/sign-in">Sign in another way</Link>
    </HandlerPage>
  )
}
