import type { ReactNode } from 'react'
import { projectConfig$, projectConfigSource$, testSignUpRules, updateProjectConfig } from 'rxauth/admin'
import type { ConfigSource, RenderedConfig, SignUpTest } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { Alert } from '../../ui/alert'
import { ConfirmButton } from '../../ui/dialog'
import { ActionSwitch, Select, TextField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { Row, Rows } from '../../ui/rows'
import { PageHeading, Section, StatusBadge } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'

/** The rules of sign-ups, a question to them, and the whole configuration of a project of 2026. */
export function Configuration(): ReactNode {
  const { app } = useProject()
  const source = useStore(projectConfigSource$(app))
  return (
    <>
      <PageHeading title="Configuration" />
      <SignUpRules />
      <SignUpTestForm />
      <Section title="Rendered configuration" description="The configuration in effect. Secrets are hidden.">
        {source.status === 'ready' && <p>{sourceWords(source.value)}</p>}
        <WithStore store={projectConfig$(app)} label="Configuration">
          {config => (
            <pre className="scroll" tabIndex={0} aria-label="Configuration as JSON">
              {JSON.stringify(config, hideSecrets, 2)}
            </pre>
          )}
        </WithStore>
      </Section>
    </>
  )
}

function sourceWords(source: ConfigSource): string {
  switch (source.type) {
    case 'pushed-from-github':
      return `Pushed from ${source.configFilePath} of ${source.owner}/${source.repo}, commit ${source.commitHash}.`
    case 'pushed-from-unknown':
      return 'Pushed from a file.'
    case 'unlinked':
      return 'Not linked to a file.'
  }
}

const secretName = /secret|password|token|key|credential|connection.?string/i

/** Hides each text at a name of a secret, and below it. */
function hideSecrets(name: string, value: unknown): unknown {
  return secretName.test(name) ? withoutTexts(value) : value
}

function withoutTexts(value: unknown): unknown {
  if (typeof value === 'string') return value && '••••••'
  if (Array.isArray(value)) return value.map(withoutTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutTexts(part)]))
}

type Rules = RenderedConfig['auth']['signUpRules']

/** The rules in the order in which they are tried. */
function SignUpRules(): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Sign-up rules"
      description="The first matching rule decides about a sign-up. Rules that only log are counted, and do not decide."
    >
      <WithStore store={projectConfig$(app)} label="Sign-up rules">
        {({ auth }) => {
          const rules = Object.entries(auth.signUpRules).sort(
            ([, left], [, right]) => (right.priority ?? 0) - (left.priority ?? 0),
          )
          return (
            <>
              {rules.length > 0 && (
                <Rows label="Sign-up rules">
                  {rules.map(([id, { displayName, action, condition, enabled }]) => {
                    const path = `auth.signUpRules.${id}`
                    const name = displayName || id
                    return (
                      <Row
                        key={id}
                        title={name}
                        badges={<StatusBadge>{action?.type ?? 'no action'}</StatusBadge>}
                        detail={
                          <>
                            <code>{condition ?? 'true'}</code>
                            {action?.message !== undefined && <p>{action.message}</p>}
                          </>
                        }
                        action={
                          <div className="auth-row actions">
                            <ActionSwitch
                              label="On"
                              name={`${name} is on`}
                              isOn={enabled ?? true}
                              turn={isOn => updateProjectConfig(app, { changes: { [`${path}.enabled`]: isOn } })}
                            />
                            <ConfirmButton
                              label="Remove"
                              aria-label={`Remove ${name}`}
                              question={`Remove the rule ${name}?`}
                              consequence="Other rules will decide about sign-ups that this rule matches."
                              answer="Remove"
                              run={() => updateProjectConfig(app, { changes: { [path]: null } })}
                            />
                          </div>
                        }
                      />
                    )
                  })}
                </Rows>
              )}
              <p className="dim">
                {rules.length > 0 ? 'Every other sign-up' : 'There are no rules. Every sign-up'} is{' '}
                {auth.signUpRulesDefaultAction === 'reject' ? 'rejected' : 'allowed'}.
              </p>
            </>
          )
        }}
      </WithStore>
    </Section>
  )
}

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
function SignUpTestForm(): ReactNode {
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
          {decisionWords(test.value, config.status === 'ready' ? config.value.auth.signUpRules : {})}
        </Alert>
      )}
    </Section>
  )
}

function decisionWords({ outcome }: SignUpTest, rules: Rules): string {
  const { shouldAllow, decisionRuleId, restrictedBecauseOfRuleId } = outcome
  const by =
    decisionRuleId === null ? 'by default' : `by the rule ${rules[decisionRuleId]?.displayName || decisionRuleId}`
  if (restrictedBecauseOfRuleId !== null) return `The user would be restricted, ${by}.`
  return `The sign-up would be ${shouldAllow ? 'allowed' : 'rejected'}, ${by}.`
}
