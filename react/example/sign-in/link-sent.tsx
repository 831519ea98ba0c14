import { useState, type ReactNode } from 'react'
import { useAction, useApp, useFlow } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Problem, Told } from '../ui/alert'
import { Button } from '../ui/button'
import { CodeInput } from '../ui/code-input'
import { useWords } from '../words/use-words'

/** Asks for the mailed code, in the tab that requested it. */
export function LinkSent({
  email,
  onStartOver,
}: {
  readonly email: string
  readonly onStartOver: () => void
}): ReactNode {
  const { linkSent: words, ui } = useWords()
  const app = useApp()
  const again = useAction(() => app.sendMagicLinkEmail({ email }))
  return (
    <AuthFrame
      title={words.title}
      hasFocusedField
      subtitle={<span role="status">{words.text(<b className="breakable">{email}</b>)}</span>}
    >
      <CodeInput label={ui.code} kind="characters" onComplete={code => app.signInWithMagicLink({ code })} />
      <div className="auth-stack snug">
        <Problem of={again} />
        {again.status === 'done' && <Told>{words.sentAgain}</Told>}
        <div className="auth-row middle snug">
          <Button label={ui.sendAgain} kind="quiet" isSmall does={again} />
          <Button label={ui.otherMethod} kind="quiet" isSmall onClick={onStartOver} />
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
