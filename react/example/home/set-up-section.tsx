import { CheckCircleIcon } from '@heroicons/react/24/solid'
import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { useOwnWords } from '../app/words'
import { TextLink } from '../ui/link'
import { Section } from '../ui/section'

interface Step {
  readonly text: string
  readonly to: string
  readonly isDone: boolean
}

/** The open steps of a new account. Each is ticked when done; the section disappears after the last one. */
export function SetUpSection({ user }: { readonly user: CurrentUser }): ReactNode {
  const words = useOwnWords()
  const settings = '/handler/account-settings'
  const steps: Step[] = [
    { text: words.verify, to: '/welcome', isDone: user.primaryEmailVerified },
    { text: words.addName, to: settings, isDone: user.displayName !== null },
    { text: words.addPasskey, to: `${settings}/security`, isDone: user.passkeyAuthEnabled },
    { text: words.addSecondStep, to: `${settings}/security`, isDone: user.requiresTotpMfa },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Section title={words.setUp} description={words.stepsDone(done, steps.length)}>
      <ul className="auth-stack snug">
        {steps.map(step => (
          <SetUpStep key={step.text} step={step} />
        ))}
      </ul>
    </Section>
  )
}

function SetUpStep({ step: { text, to, isDone } }: { readonly step: Step }): ReactNode {
  const words = useOwnWords()
  return (
    <li className="auth-row oneline">
      {isDone ? (
        <CheckCircleIcon className="done" width={22} aria-label={words.done} role="img" />
      ) : (
        <div className="open-circle" aria-hidden="true" />
      )}
      {isDone ? <p className="dim">{text}</p> : <TextLink to={to}>{text}</TextLink>}
    </li>
  )
}
