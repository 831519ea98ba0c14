import type { ReactNode } from 'react'
import { projectConfig$, updateProjectConfig } from 'rxauth/admin'
import type { RenderedConfig } from 'rxauth/admin'
import { ConfirmButton } from '../../ui/confirm-button'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { ActionSwitch } from '../settings/setting-field'

type Rule = RenderedConfig['auth']['signUpRules'][string]

/** The rules in the order in which they are tried. */
export function SignUpRules(): ReactNode {
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
                  {rules.map(([id, rule]) => (
                    <OneRule key={id} id={id} rule={rule} />
                  ))}
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

function OneRule({ id, rule }: { readonly id: string; readonly rule: Rule }): ReactNode {
  const { app } = useProject()
  const path = `auth.signUpRules.${id}`
  const name = rule.displayName || id
  return (
    <Row
      title={name}
      badges={<StatusBadge>{rule.action?.type ?? 'no action'}</StatusBadge>}
      detail={
        <>
          <code>{rule.condition ?? 'true'}</code>
          {rule.action?.message !== undefined && <p>{rule.action.message}</p>}
        </>
      }
      action={
        <div className="auth-row actions">
          <ActionSwitch
            label="On"
            name={`${name} is on`}
            isOn={rule.enabled ?? true}
            turn={isOn => updateProjectConfig(app, { changes: { [`${path}.enabled`]: isOn } })}
          />
          <ConfirmButton
            isSmall
            aria-label={`Remove ${name}`}
            question={`Remove the rule ${name}?`}
            consequence="Other rules will decide about sign-ups that this rule matches."
            answer="Remove"
            run={() => updateProjectConfig(app, { changes: { [path]: null } })}
          >
            Remove
          </ConfirmButton>
        </div>
      }
    />
  )
}
