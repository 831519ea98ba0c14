import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { Section } from '../../ui/section'
import { tell } from '../../ui/toasts'
import { emailProblem, required, useForm } from '../../ui/use-form'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'

interface Values {
  readonly email: string
  readonly callbackUrl: string
}

/** Mails a link to the product's sign-in page. The link itself does not sign in. */
export function InviteForm(): ReactNode {
  const { app, id } = useProject()
  // Only the owner knows the addresses of other projects' pages.
  const callbackUrl = id === import.meta.env.VITE_PROJECT_ID ? new URL('/handler/sign-in', location.href).href : ''
  const form = useForm<Values>({
    initial: { email: '', callbackUrl },
    validate: { email: emailProblem(useWords()), callbackUrl: required('Enter the address of your sign-in page.') },
  })
  const invite = useAction(async (values: Values) => {
    const result = await app.sendSignInInvitation(values)
    if (result.ok) {
      tell(`An invitation has been sent to ${values.email}.`)
      form.set({ email: '' })
    }
    return result
  })
  const isUntrusted = invite.status === 'failed' && invite.error.code === 'REDIRECT_URL_NOT_WHITELISTED'
  return (
    <Section title="Invite by e-mail" description="The e-mail has a link to your sign-in page.">
      <Form label="Invite by e-mail" form={form} action={invite} submit="Send invitation" isProblemShown={isUntrusted}>
        <div className="auth-row top">
          <TextField
            className="grow"
            label="Address to invite"
            type="email"
            autoComplete="off"
            {...form.field('email')}
          />
          <TextField
            className="grow"
            label="Sign-in page"
            type="url"
            autoComplete="off"
            {...form.field('callbackUrl')}
            error={
              isUntrusted ? 'The project does not trust this website. Add it under Domains.' : form.errors.callbackUrl
            }
          />
        </div>
      </Form>
    </Section>
  )
}
