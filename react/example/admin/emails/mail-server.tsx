import { Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { OwnedProject } from 'rxauth'
import { useAction } from 'rxauth/react'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { PasswordField } from '../../ui/password-field'
import { SavedForm } from '../../ui/saved-form'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { TestMail } from './test-mail'

type EmailConfig = OwnedProject['config']['emailConfig']

/** The mail server of the project. */
export function MailServer({ config }: { readonly config: EmailConfig }): ReactNode {
  const { app } = useProject()
  const form = useForm({
    initialValues: {
      type: config.type,
      host: config.host ?? '',
      port: config.port ?? 587,
      username: config.username ?? '',
      password: config.password ?? '',
      senderName: config.senderName ?? '',
      senderEmail: config.senderEmail ?? '',
    },
    validate: values => {
      const empty = (['host', 'username', 'password', 'senderName', 'senderEmail'] as const).filter(
        key => values.type === 'standard' && values[key].trim() === '',
      )
      return Object.fromEntries(empty.map(key => [key, 'Enter this, too.']))
    },
  })
  const save = useAction((values: typeof form.values) =>
    app.updateProject({ config: { emailConfig: values.type === 'shared' ? { type: 'shared' } : values } }),
  )
  return (
    <Section
      title="Mail server"
      description="The platform's own server is for trying out. To send mails of your own, or to edit templates, set up your own server."
    >
      <SavedForm
        label="Mail server"
        action={save}
        answer="Save mail server"
        onSubmit={form.onSubmit(values => void save.run(values).catch(() => undefined), focusFirstProblem(form))}
      >
        <Radio.Group label="Server" {...form.getInputProps('type')}>
          <Stack gap="xs" mt={4}>
            <Radio value="shared" label="The platform's own" />
            <Radio value="standard" label="Your own" />
          </Stack>
        </Radio.Group>
        {form.values.type === 'standard' && (
          <>
            <Group gap="sm" align="flex-start">
              <TextInput label="Host" flex="2 1 12rem" autoComplete="off" {...form.getInputProps('host')} />
              <NumberInput
                label="Port"
                size="md"
                flex="1 1 6rem"
                min={1}
                max={65_535}
                hideControls
                {...form.getInputProps('port')}
              />
            </Group>
            <Group gap="sm" align="flex-start">
              <TextInput label="User name" flex="1 1 12rem" autoComplete="off" {...form.getInputProps('username')} />
              <PasswordField label="Password" flex="1 1 12rem" autoComplete="off" {...form.getInputProps('password')} />
            </Group>
            <Group gap="sm" align="flex-start">
              <TextInput label="Sender" flex="1 1 12rem" autoComplete="off" {...form.getInputProps('senderName')} />
              <TextInput
                label="Sender's address"
                type="email"
                flex="1 1 12rem"
                autoComplete="off"
                {...form.getInputProps('senderEmail')}
              />
            </Group>
          </>
        )}
      </SavedForm>
      {form.values.type === 'standard' && <TestMail server={form.values} />}
    </Section>
  )
}
