import type { ReactNode } from 'react'
import type { AdminApp, PermissionDefinition } from 'rxauth/admin'
import { useAction } from 'rxauth/react'
import { Choices } from '../../ui/choice'
import { TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { useForm } from '../../ui/use-form'

/** The actions on definitions of one kind. */
export interface DefinitionActions {
  readonly create: AdminApp['createTeamPermissionDefinition']
  readonly update: AdminApp['updateTeamPermissionDefinition']
  readonly remove: AdminApp['deleteTeamPermissionDefinition']
}

interface Props {
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
export function DefinitionForm({ definition, all, actions, onClose }: Props): ReactNode {
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
