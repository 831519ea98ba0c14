import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { CodeInput } from '../ui/code-input'
import { Problem } from '../ui/problem'
import { useWords } from '../words/use-words'

interface Props {
  readonly email: string
  readonly onStartOver: () => void
}

/** Asks for the mailed code, in the tab that requested it. */
export function LinkSent({ email, onStartOver }: Props): ReactNode {
  const { linkSent: words } = useWords()
  const app = useApp()
  const again = useAction(() => app.sendMagicLinkEmail({ email }))
  return (
    <AuthFrame
      title={words.title}
      hasFocusedField
      subtitle={<span role="status">{words.text(<b className="breakable">{email}</b>)}</span>}
    >
      <CodeInput label={words.code} kind="characters" onComplete={code => app.signInWithMagicLink({ code })} />
      <div className="auth-stack snug">
        <Problem of={again} />
        {again.status === 'done' && (
          <p className="centred" role="status">
            {words.sentAgain}
          </p>
        )}
        <div className="auth-row middle snug">
          <Button kind="quiet" isSmall does={again}>
            {words.again}
          </Button>
          <Button kind="quiet" isSmall onClick={onStartOver}>
            {words.otherMethod}
          </Button>
        </div>
      </div>
    </AuthFrame>
  )
}
