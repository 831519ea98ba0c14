import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { TextLink } from '../ui/link'
import { PasswordField } from '../ui/password-field'
import { Problem, problemOf } from '../ui/problem'
import type { Methods } from './methods'

interface Props {
  readonly email: string
  readonly methods: Methods
  readonly onBack: () => void
}

/** The password for an address, or a link by mail. After a success the page follows `flow$`. */
export function PasswordStep({ email, methods, onBack }: Props): ReactNode {
  const app = useApp()
  const field = useRef<HTMLInputElement>(null)
  const [password, setPassword] = useState('')
  const enter = useAction(async () => {
    const result = await app.signInWithPassword({ email, password })
    if (!result.ok) field.current?.select()
    return result
  })
  const sendLink = useAction(() => app.sendMagicLinkEmail({ email }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (enter.status !== 'running') void enter.run().catch(() => undefined)
  }
  return (
    <Stack gap="lg">
      <form onSubmit={submit} aria-label="Sign in">
        <Stack gap="md">
          {/* Password managers look for it. */}
          <TextInput
            label="E-mail address"
            type="email"
            autoComplete="username"
            readOnly
            value={email}
            rightSectionWidth={80}
            rightSection={
              <Button variant="subtle" size="compact-sm" onClick={onBack}>
                Change
              </Button>
            }
          />
          <PasswordField
            ref={field}
            label="Password"
            autoComplete="current-password"
            required
            autoFocus
            value={password}
            onChange={event => {
              setPassword(event.currentTarget.value)
              if (enter.status === 'failed') enter.reset()
            }}
            error={problemOf(enter)}
          />
          <Button type="submit" size="md" loading={enter.status === 'running'}>
            Sign in
          </Button>
          <TextLink to="/handler/forgot-password" ta="center" size="sm" underline="hover">
            Forgot your password?
          </TextLink>
        </Stack>
      </form>
      {methods.magicLinkEnabled && (
        <>
          <Divider label="or" />
          <Stack gap="xs">
            <Button
              variant="default"
              size="md"
              loading={sendLink.status === 'running'}
              onClick={() => void sendLink.run().catch(() => undefined)}
            >
              E-mail me a sign-in link
            </Button>
            <Problem of={sendLink} />
          </Stack>
        </>
      )}
    </Stack>
  )
}
