import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { CodeInput } from '../ui/code-input'
import { Problem } from '../ui/problem'

interface Props {
  readonly email: string
  readonly onStartOver: () => void
}

/** Asks for the mailed code, in the tab that requested it. */
export function LinkSent({ email, onStartOver }: Props): ReactNode {
  const app = useApp()
  const again = useAction(() => app.sendMagicLinkEmail({ email }))
  return (
    <AuthFrame
      title="Check your e-mail"
      hasFocusedField
      subtitle={
        <span role="status">
          We sent a link and a code to <b className="breakable">{email}</b>. Open the link, or enter the code here.
        </span>
      }
    >
      <CodeInput label="Code" kind="characters" onComplete={code => app.signInWithMagicLink({ code })} />
      <div className="stack snug">
        <Problem of={again} />
        <div className="row middle snug">
          <Button kind="quiet" isSmall does={again}>
            {again.status === 'done' ? 'Sent. Send again' : 'Send again'}
          </Button>
          <Button kind="quiet" isSmall onClick={onStartOver}>
            Use another method
          </Button>
        </div>
      </div>
    </AuthFrame>
  )
}
