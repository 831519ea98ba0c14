import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { AdminApp, PermissionDefinition } from 'rxauth/admin'
import { useAction, useStore } from 'rxauth/react'
import { ConfirmButton, DialogButton } from '../../ui/dialog'
import { Choices, TextField } from '../../ui/field'
import { Form, useForm } from '../../ui/form'
import { ListOf, Row } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
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

interface DefinitionFormProps {
  /** Absent for a new one. */
  readonly definition?: PermissionDefinition
  readonly all: readonly PermissionDefinition[]
  readonly actions: DefinitionActions
  readonly onClose: () => void
}

interface Values {
  readonly id: string
  readonly description: string
  readonly containedPermissionIds: string[]
}

/** Edits a permission's id, description and contained permissions. */
function DefinitionForm({ definition, all, actions, onClose }: DefinitionFormProps): ReactNode {
  const form = useForm<Values>({
    initial: {
      id: definition?.id ?? '',
      description: definition?.description ?? '',
      containedPermissionIds: definition?.containedPermissionIds ?? [],
    },
    clean: values => ({ ...values, id: values.id.trim(), description: values.description.trim() }),
    validate: {
      id: value => (/^[a-z0-9_:]+$/.test(value.trim()) ? null : 'Use lower-case letters, digits, _ and :.'),
    },
  })
  const save = useAction(async (values: Values) => {
    const result = definition
      ? await actions.update({ permissionId: definition.id, ...values })
      : await actions.create(values)
    if (result.ok) onClose()
    return result
  })
  const others = all.filter(({ id }) => id !== definition?.id)
  return (
    <Form
      label={definition ? 'Edit the permission' : 'Create a permission'}
      form={form}
      action={save}
      submit={definition ? 'Save permission' : 'Create permission'}
      onCancel={onClose}
    >
      <TextField
        label="Id"
        hint={
          definition
            ? 'Users keep the permission when its id changes. Your code has to check for the new id.'
            : 'Your code checks for this id.'
        }
        placeholder="manage_billing"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('id')}
      />
      <TextField label="Description" autoComplete="off" {...form.field('description')} />
      {others.length === 0 ? (
        <p className="dim">There are no other permissions that it could contain.</p>
      ) : (
        <Choices
          legend="Contains"
          hint="A user with this permission also has these."
          kind="checkbox"
          options={others.map(({ id }) => ({ value: id, label: id }))}
          chosen={form.values.containedPermissionIds}
          onChange={containedPermissionIds => form.set({ containedPermissionIds })}
        />
      )}
    </Form>
  )
}
