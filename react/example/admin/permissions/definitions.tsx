import type { ComponentProps, ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { AdminApp, PermissionDefinition } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/dialog'
import { ListOf, Row } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { FormButton } from '../settings-form'
import { WithStore } from '../../ui/with-store'
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
        <DefinitionButton
          label="Create a permission"
          button={{ isSmall: true, 'aria-label': `Create a permission ${where}` }}
          all={known}
          actions={actions}
        />
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
            <DefinitionButton
              label="Edit"
              title={`Edit ${id}`}
              button={{ kind: 'plain', isSmall: true, 'aria-label': `Edit ${id}` }}
              definition={definition}
              all={all}
              actions={actions}
            />
            <ConfirmButton
              label="Delete"
              aria-label={`Delete ${id}`}
              question="Delete this permission?"
              consequence={`Users and other permissions lose ${id}. This cannot be undone.`}
              answer="Delete permission"
              run={() => actions.remove({ permissionId: id })}
            />
          </div>
        )
      }
    />
  )
}

/** The actions on definitions of one kind. */
interface DefinitionActions {
  readonly create: AdminApp['createTeamPermissionDefinition']
  readonly update: AdminApp['updateTeamPermissionDefinition']
  readonly remove: AdminApp['deleteTeamPermissionDefinition']
}

interface DefinitionButtonProps extends Pick<ComponentProps<typeof FormButton>, 'label' | 'title' | 'button'> {
  /** Absent for a new one. */
  readonly definition?: PermissionDefinition
  readonly all: readonly PermissionDefinition[]
  readonly actions: DefinitionActions
}

/** Edits a permission's id, description and contained permissions. */
function DefinitionButton({ definition, all, actions, ...button }: DefinitionButtonProps): ReactNode {
  const others = all.filter(({ id }) => id !== definition?.id)
  return (
    <FormButton
      {...button}
      formLabel={definition ? 'Edit the permission' : 'Create a permission'}
      submit={definition ? 'Save permission' : 'Create permission'}
      initial={{
        id: definition?.id ?? '',
        description: definition?.description ?? '',
        containedPermissionIds: definition?.containedPermissionIds ?? [],
      }}
      settings={[
        {
          name: 'id',
          label: 'Id',
          hint: definition
            ? 'Users keep the permission when its id changes. Your code has to check for the new id.'
            : 'Your code checks for this id.',
          placeholder: 'manage_billing',
          maxLength: 100,
          validate: id => (/^[a-z0-9_:]+$/.test(id.trim()) ? null : 'Use lower-case letters, digits, _ and :.'),
        },
        { name: 'description', label: 'Description' },
        {
          name: 'containedPermissionIds',
          label: 'Contains',
          hint: 'A user with this permission also has these.',
          kind: 'checkbox',
          options: others.map(({ id }) => ({ value: id, label: id })),
          isShown: () => others.length > 0,
        },
      ]}
      note={others.length === 0 && <p className="dim">There are no other permissions that it could contain.</p>}
      save={async values =>
        definition ? actions.update({ permissionId: definition.id, ...values }) : actions.create(values)
      }
    />
  )
}
