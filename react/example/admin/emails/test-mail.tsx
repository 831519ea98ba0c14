import { Alert, Button, Group, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { AdminApp } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { useProject } from '../project/project-context'

type Server = Parameters<AdminApp['sendTestEmail']>[0]['emailConfig']

/** Tests a mail server before it is saved, and shows the server's error message. */
export function TestMail({ server }: { readonly server: Server }): ReactNode {
  const { app } = useProject()
  const form = useForm({
    initialValues: { recipient: '' },
    validate: { recipient: isEmail('Enter an e-mail address, like ada@example.com.') },
  })
  const test = useAction(async (recipientEmail: string) => {
    const { host, port, username, password, senderName, senderEmail } = server
    const emailConfig = { host, port, username, password, senderName, senderEmail }
    const outcome = await app.sendTestEmail({ recipientEmail, emailConfig })
    return { outcome }
  })
  const outcome = test.status === 'done' ? test.value.outcome : undefined
  return (
    <form
      noValidate
      aria-label="Test the mail server"
      onSubmit={form.onSubmit(({ recipient }) => {
        if (test.status !== 'running') void test.run(recipient).catch(() => undefined)
      })}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          type="email"
          aria-label="Address for a test mail"
          placeholder="ada@example.com"
          autoComplete="off"
          {...form.getInputProps('recipient')}
        />
        <Button type="submit" size="md" variant="default" loading={test.status === 'running'}>
          Send a test mail
        </Button>
      </Group>
      <Problem of={test} />
      {outcome && (
        <Alert mt="sm" color={outcome.ok ? 'teal' : 'red'} role={outcome.ok ? 'status' : 'alert'} className="breakable">
          {outcome.ok ? 'The test mail has been sent.' : outcome.error.errorMessage}
        </Alert>
      )}
    </form>
  )
}
