import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { ApiKey } from '../../api-keys/api-keys'
import { ConfirmButton } from '../../ui/dialog'
import { Day } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { useProject } from '../project/project-context'

interface Props {
  /** The project setting that allows keys of this kind. */
  readonly setting: 'allowUserApiKeys' | 'allowTeamApiKeys'
  /** The text if the setting is off. */
  readonly switchedOff: string
  readonly empty: string
  readonly store: Store<readonly ApiKey[]>
  readonly revoke: (apiKeyId: string) => Promise<unknown>
}

/** The API keys of a user or a team; each can be revoked. */
export function OwnedKeys({ setting, switchedOff, empty, store, revoke }: Props): ReactNode {
  const { project } = useProject()
  if (!project.config[setting]) return <Section title="API keys" description={switchedOff} />
  return (
    <Section title="API keys">
      <StoreList store={store} label="API keys" empty={empty}>
        {({ id, description, value, createdAt, manuallyRevokedAt }) => (
          <Row
            key={id}
            title={
              <>
                {description} <code>…{value.lastFour}</code>
              </>
            }
            detail={
              <>
                Created on <Day at={createdAt} />
              </>
            }
            action={
              manuallyRevokedAt ? (
                <StatusBadge>Revoked</StatusBadge>
              ) : (
                <ConfirmButton
                  label="Revoke"
                  aria-label={`Revoke ${description}`}
                  question="Revoke this key?"
                  consequence={`Programs that use “${description}” (…${value.lastFour}) will be refused from now on. This cannot be undone.`}
                  answer="Revoke key"
                  run={() => revoke(id)}
                />
              )
            }
          />
        )}
      </StoreList>
    </Section>
  )
}
