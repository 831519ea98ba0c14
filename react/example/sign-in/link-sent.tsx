import { useState, type ReactNode } from 'react'
import { useAction, useApp, useFlow } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Problem } from '../ui/alert'
import { Button } from '../ui/button'
import { CodeInput } from '../ui/code-input'
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

/** The address that a link was sent to while this tab awaits its code, also after a reload; undefined if none is awaited. */
export function useSentLink(): { readonly email: string; readonly startOver: () => void } | undefined {
  const flow = useFlow()
  // The code stays valid after another method was chosen: its link still signs in.
  const [abandoned, setAbandoned] = useState<unknown>()
  if (flow.status !== 'code-sent' || flow === abandoned) return undefined
  return { email: flow.email, startOver: () => setAbandoned(flow) }
}
