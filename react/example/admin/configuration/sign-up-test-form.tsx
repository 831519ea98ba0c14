import { Alert, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { projectConfig$, testSignUpRules } from 'rxauth/admin'
import type { RenderedConfig, SignUpTest } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'

type Rules = RenderedConfig['auth']['signUpRules']

const methods = ['password', 'otp', 'oauth', 'passkey'] as const

/** Asks the rules about a sign-up that does not happen. */
export function SignUpTestForm(): ReactNode {
  const { app } = useProject()
  const config = useStore(projectConfig$(app))
  const [email, setEmail] = useState('')
  const [method, setMethod] = useState<(typeof methods)[number]>('password')
  const [country, setCountry] = useState('')
  const test = useAction(() =>
    testSignUpRules(app, {
      email: email.trim() || null,
      authMethod: method,
      countryCode: country.trim().toUpperCase() || null,
    }),
  )
  return (
    <Section title="Try the rules" description="Shows what they decide, without a sign-up.">
      <form
        onSubmit={event => {
          event.preventDefault()
          void test.run().catch(() => undefined)
        }}
      >
        <Group gap="sm" align="flex-end">
          <TextInput
            flex="1 1 14rem"
            label="E-mail address"
            autoComplete="off"
            value={email}
            onChange={event => setEmail(event.currentTarget.value)}
          />
          <NativeSelect
            label="Method"
            size="md"
            value={method}
            data={[...methods]}
            onChange={event => setMethod(methods.find(each => each === event.currentTarget.value) ?? 'password')}
          />
          <TextInput
            w={90}
            label="Country"
            placeholder="AT"
            maxLength={2}
            autoComplete="off"
            value={country}
            onChange={event => setCountry(event.currentTarget.value)}
          />
          <Button type="submit" size="md" variant="default" loading={test.status === 'running'}>
            Try
          </Button>
        </Group>
      </form>
      <Problem of={test} />
      {test.status === 'done' && (
        <Alert role="status" color={test.value.outcome.shouldAllow ? 'teal' : 'red'}>
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
  if (restrictedBecauseOfRuleId !== null) return `The sign-up would make a restricted user, ${by}.`
  return `The sign-up would be ${shouldAllow ? 'allowed' : 'rejected'}, ${by}.`
}
