import { Badge, Code, Group, Stack, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { projectConfig$, updateProjectConfig } from 'rxauth/admin'
import type { RenderedConfig } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'

type Rule = RenderedConfig['auth']['signUpRules'][string]

/** The rules in the order in which they are tried. */
export function SignUpRules(): ReactNode {
  const { app } = useProject()
  return (
    <Section
      title="Sign-up rules"
      description="The first rule that matches decides about a sign-up. A rule that only logs is counted."
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
                  {rules.map(([id, rule]) => (
                    <OneRule key={id} id={id} rule={rule} />
                  ))}
                </Rows>
              )}
              <Text size="sm" c="dimmed">
                {rules.length > 0 ? 'Every other sign-up' : 'There are no rules. Every sign-up'} is{' '}
                {auth.signUpRulesDefaultAction === 'reject' ? 'rejected' : 'allowed'}.
              </Text>
            </>
          )
        }}
      </WithStore>
    </Section>
  )
}

function OneRule({ id, rule }: { readonly id: string; readonly rule: Rule }): ReactNode {
  const { app } = useProject()
  const path = `auth.signUpRules.${id}`
  const name = rule.displayName || id
  const change = useAction((enabled: boolean) =>
    updateProjectConfig(app, { changes: { [`${path}.enabled`]: enabled } }),
  )
  return (
    <Row>
      <Stack gap="xs">
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <Text fw={600} className="breakable">
              {name}
            </Text>
            <Badge variant="default">{rule.action?.type ?? 'no action'}</Badge>
          </Group>
          <Group gap="sm">
            <Switch
              label="On"
              aria-label={`${name} is on`}
              checked={rule.enabled ?? true}
              disabled={change.status === 'running'}
              onChange={event => void change.run(event.currentTarget.checked).catch(() => undefined)}
            />
            <ConfirmButton
              aria-label={`Remove ${name}`}
              question={`Remove the rule ${name}?`}
              consequence="Sign-ups that it decided about go to the next rule."
              answer="Remove"
              run={() => updateProjectConfig(app, { changes: { [path]: null } })}
            >
              Remove
            </ConfirmButton>
          </Group>
        </Group>
        <Code className="breakable">{rule.condition ?? 'true'}</Code>
        {rule.action?.message !== undefined && <Text size="sm">{rule.action.message}</Text>}
        <Problem of={change} />
      </Stack>
    </Row>
  )
}
