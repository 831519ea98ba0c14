import { Button, Group, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { problemOf } from '../../ui/problem'

/** Adds an address, and sends the link that verifies it. */
export function AddEmailForm(): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
    onValuesChange: () => add.status === 'failed' && add.reset(),
  })
  const add = useAction(async (value: string) => {
    const result = await app.createContactChannel({ value })
    if (!result.ok) return result
    // Another one may have been typed meanwhile.
    if (form.getValues().email.trim() === value.trim()) form.reset()
    // The address exists even if the mail failed; its row has a button to send it again.
    await app.sendContactChannelVerification({ contactChannelId: result.value.id }).catch(() => undefined)
    return result
  })
  const isBusy = add.status === 'running'
  return (
    <form
      noValidate
      aria-label="Add an address"
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) void add.run(email).catch(() => undefined)
      })}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          type="email"
          aria-label="New e-mail address"
          placeholder="ada@example.com"
          autoComplete="email"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? problemOf(add)}
        />
        <Button type="submit" size="md" loading={isBusy}>
          Add address
        </Button>
      </Group>
    </form>
  )
}
