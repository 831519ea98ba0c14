import { CheckCircleIcon } from '@heroicons/react/24/solid'
import type { ReactNode } from 'react'
import type { CurrentUser } from 'rxauth'
import { TextLink } from '../ui/link'
import { Section } from '../ui/section'

interface Step {
  readonly text: string
  readonly to: string
  readonly isDone: boolean
}

/** The open steps of a new account. Each is ticked when done; the section disappears after the last one. */
export function SetUpSection({ user }: { readonly user: CurrentUser }): ReactNode {
  const settings = '/handler/account-settings'
  const steps: Step[] = [
    { text: 'Verify your e-mail address', to: '/welcome', isDone: user.primaryEmailVerified },
    { text: 'Tell us your name', to: settings, isDone: user.displayName !== null },
    { text: 'Add a passkey', to: `${settings}/security`, isDone: user.passkeyAuthEnabled },
    { text: 'Turn on two-step verification', to: `${settings}/security`, isDone: user.requiresTotpMfa },
  ]
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <Section title="Finish setting up" description={`${done} of ${steps.length} done`}>
      <ul className="stack snug">
        {steps.map(step => (
          <SetUpStep key={step.text} step={step} />
        ))}
      </ul>
    </Section>
  )
}

function SetUpStep({ step: { text, to, isDone } }: { readonly step: Step }): ReactNode {
  return (
    <li className="row oneline">
      {isDone ? (
        <CheckCircleIcon className="done" width={22} aria-label="Done" role="img" />
      ) : (
        <div className="open-circle" aria-hidden="true" />
      )}
      {isDone ? <p className="dim">{text}</p> : <TextLink to={to}>{text}</TextLink>}
    </li>
  )
}
