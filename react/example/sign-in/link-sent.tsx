import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
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
      <Stack gap="xs">
        <Problem of={again} />
        <Group gap="xs" justify="center">
          <Button
            variant="subtle"
            size="compact-sm"
            loading={again.status === 'running'}
            onClick={() => void again.run().catch(() => undefined)}
          >
            {again.status === 'done' ? 'Sent. Send once more' : 'Send again'}
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={onStartOver}>
            Use another way
          </Button>
        </Group>
      </Stack>
    </AuthFrame>
  )
}
