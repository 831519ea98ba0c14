import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { useWords } from '../../words/use-words'

/** Registers or removes a passkey. */
export function PasskeySection({ hasPasskey }: { readonly hasPasskey: boolean }): ReactNode {
  const app = useApp()
  const words = useWords().account.security
  const make = useAction(() => app.registerPasskey())
  return (
    <Section
      title={words.passkey}
      description={words.passkeyText}
      action={
        hasPasskey ? (
          <div className="auth-row">
            <StatusBadge kind="good">{words.on}</StatusBadge>
            <ConfirmButton
              question={words.removeQuestion}
              consequence={words.removeText}
              answer={words.removeAnswer}
              run={() => app.updateUser({ passkeyAuthEnabled: false })}
            >
              {words.remove}
            </ConfirmButton>
          </div>
        ) : (
          <Button kind="plain" does={make}>
            {words.addPasskey}
          </Button>
        )
      }
    >
      <Problem of={make} />
    </Section>
  )
}
