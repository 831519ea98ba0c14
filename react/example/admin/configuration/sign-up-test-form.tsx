import type { ReactNode } from 'react'
import { projectConfig$, testSignUpRules } from 'rxauth/admin'
import type { RenderedConfig, SignUpTest } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { Select, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'

type Rules = RenderedConfig['auth']['signUpRules']

const methods = [
  { value: 'password', label: 'Password' },
  { value: 'otp', label: 'E-mail' },
  { value: 'oauth', label: 'Provider' },
  { value: 'passkey', label: 'Passkey' },
] as const

interface Values {
  readonly email: string
  readonly authMethod: (typeof methods)[number]['value']
  readonly country: string
}

/** Asks the rules about a sign-up that does not happen. */
export function SignUpTestForm(): ReactNode {
  const { app } = useProject()
  const config = useStore(projectConfig$(app))
  const form = useForm<Values>({ initial: { email: '', authMethod: 'password', country: '' } })
  const test = useAction(({ email, authMethod, country }: Values) =>
    testSignUpRules(app, {
      email: email.trim() || null,
      authMethod,
      countryCode: country.trim().toUpperCase() || null,
    }),
  )
  return (
    <Section title="Try the rules" description="Shows what the rules decide. No user is created.">
      <Form label="Try the rules" form={form} action={test} submit="Try">
        <div className="auth-row bottom">
          <TextField className="grow" label="E-mail address" autoComplete="off" {...form.field('email')} />
          <Select label="Method" options={methods} {...form.field('authMethod')} />
          <TextField label="Country" placeholder="AT" maxLength={2} autoComplete="off" {...form.field('country')} />
        </div>
      </Form>
      {test.status === 'done' && (
        <Alert role="status" kind={test.value.outcome.shouldAllow ? 'good' : 'danger'}>
          {wordsOf(test.value, config.status === 'ready' ? config.value.auth.signUpRules : {})}
        </Alert>
      )}
    </Section>
  )
}

function wordsOf({ outcome }: SignUpTest, rules: Rules): string {
  const { shouldAllow, decisionRuleId, restrictedBecauseOfRuleId } = outcome
  const by =
    decisionRuleId === null ? 'by default' : `by the rule ${rules[decisionRuleId]?.displayName || decisionRuleId}`
  if (restrictedBecauseOfRuleId !== null) return `The user would be restricted, ${by}.`
  return `The sign-up would be ${shouldAllow ? 'allowed' : 'rejected'}, ${by}.`
}
