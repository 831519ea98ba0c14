import { Button, Group, TextInput } from '@mantine/core'
import { isEmail, isNotEmpty, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { tell } from '../../ui/tell'
import { useProject } from '../project/project-context'

interface Values {
  readonly email: string
  readonly link: string
}

/** Mails a link to the product's sign-in page. The link itself does not sign in. */
export function InviteForm(): ReactNode {
  const { app, id } = useProject()
  // Only the owner knows the addresses of other projects' pages.
  const link = id === import.meta.env.VITE_PROJECT_ID ? new URL('/handler/sign-in', location.href).href : ''
  const form = useForm<Values>({
    initialValues: { email: '', link },
    validate: {
      email: isEmail('Enter an e-mail address, like ada@example.com.'),
      link: isNotEmpty('Enter the address of the page on which people sign in.'),
    },
  })
  const invite = useAction(async ({ email, link: callbackUrl }: Values) => {
    const result = await app.sendSignInInvitation({ email, callbackUrl })
    if (result.ok) {
      tell(`An invitation has been sent to ${email}.`)
      form.setFieldValue('email', '')
    } else form.setFieldError('link', 'The project does not trust this website. Add it under Domains.')
  })
  const isBusy = invite.status === 'running'
  return (
    <Section title="Invite by e-mail" description="The mail links to the page on which users sign in or sign up.">
      <form
        noValidate
        aria-label="Invite by e-mail"
        onSubmit={form.onSubmit(values => {
          if (!isBusy) void invite.run(values).catch(() => undefined)
        }, focusFirstProblem(form))}
      >
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Address to invite"
            type="email"
            autoComplete="off"
            flex="1 1 12rem"
            {...form.getInputProps('email')}
          />
          <TextInput
            label="Page to sign in on"
            type="url"
            autoComplete="off"
            flex="1 1 12rem"
            {...form.getInputProps('link')}
          />
          <Button type="submit" size="md" variant="default" loading={isBusy}>
            Send invitation
          </Button>
        </Group>
        <Problem of={invite} />
      </form>
    </Section>
  )
}
