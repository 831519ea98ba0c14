import { Button, Group, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { changePrimaryEmail, orThrow } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { problemOf } from '../ui/problem'

/** Another address for a user who mistyped the first one; the mail goes there at once. */
export function OtherAddress({ onSent }: { readonly onSent: () => void }): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
    onValuesChange: () => change.status === 'failed' && change.reset(),
  })
  const change = useAction(async (primaryEmail: string) => {
    const result = await changePrimaryEmail(app, { primaryEmail })
    if (!result.ok) return result
    // An address that was verified before ends the restriction.
    if (!result.value.primaryEmailVerified) orThrow(await app.sendVerificationEmail())
    onSent()
    return result
  })
  const isBusy = change.status === 'running'
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) void change.run(email).catch(() => undefined)
      })}
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          flex="1 1 12rem"
          type="email"
          label="Another e-mail address"
          placeholder="ada@example.com"
          autoComplete="email"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? problemOf(change)}
        />
        <Button type="submit" size="md" variant="default" loading={isBusy}>
          Use this one
        </Button>
      </Group>
    </form>
  )
}
