import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { PermissionDefinition } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { ListOf, Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { WithStore } from '../../ui/with-store'
import { DialogButton } from '../../ui/dialog-button'
import { DefinitionForm } from './definition-form'
import type { DefinitionActions } from './definition-form'
import { PermissionGraph } from './permission-graph'

interface Props {
  readonly title: string
  /** Where they apply: "in teams". */
  readonly where: string
  readonly description: string
  readonly store: Store<readonly PermissionDefinition[]>
  readonly actions: DefinitionActions
}

/** The permissions of one kind, as a list and as a graph of containment. */
export function Definitions({ title, where, description, store, actions }: Props): ReactNode {
  const snapshot = useStore(store)
  const known = snapshot.status === 'ready' ? snapshot.value : []
  return (
    <Section
      title={title}
      description={description}
      action={
        <DialogButton isSmall label="Create a permission" aria-label={`Create a permission ${where}`}>
          {close => <DefinitionForm all={known} actions={actions} onClose={close} />}
        </DialogButton>
      }
    >
      <WithStore store={store} label={title}>
        {all => (
          <>
            <ListOf label={title} items={all} empty="No permissions yet.">
              {definition => <DefinitionRow key={definition.id} definition={definition} all={all} actions={actions} />}
            </ListOf>
            <PermissionGraph title={title} definitions={all} />
          </>
        )}
      </WithStore>
    </Section>
  )
}

interface DefinitionRowProps {
  readonly definition: PermissionDefinition
  readonly all: readonly PermissionDefinition[]
  readonly actions: DefinitionActions
}

function DefinitionRow({ definition, all, actions }: DefinitionRowProps): ReactNode {
  const { id, description, containedPermissionIds } = definition
  return (
    <Row
      title={<code>{id}</code>}
      detail={
        <>
          {description !== null && <p>{description}</p>}
          {containedPermissionIds.length > 0 && <p>Contains {containedPermissionIds.join(', ')}</p>}
        </>
      }
      action={
        id.startsWith('$') ? (
          <StatusBadge>System</StatusBadge>
        ) : (
          <div className="auth-row snug actions">
            <DialogButton kind="plain" isSmall label="Edit" aria-label={`Edit ${id}`} title={`Edit ${id}`}>
              {close => <DefinitionForm definition={definition} all={all} actions={actions} onClose={close} />}
            </DialogButton>
            <ConfirmButton
              isSmall
              aria-label={`Delete ${id}`}
              question="Delete this permission?"
              consequence={`Users and other permissions lose ${id}. This cannot be undone.`}
              answer="Delete permission"
              run={() => actions.remove({ permissionId: id })}
            >
              Delete
            </ConfirmButton>
          </div>
        )
      }
    />
  )
}
