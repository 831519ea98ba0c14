import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { AdminApp, PermissionDefinition } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/dialog'
import { ListOf, Row } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { FormButton, type FormSetting } from '../../ui/settings-form'
import { WithStore } from '../../ui/with-store'
import { PermissionGraph } from './permission-graph'

interface Props {
  readonly title: string
  /** Where they apply: "in teams". */
  readonly where: string
  readonly description: string
  readonly store: Store<readonly PermissionDefinition[]>
  readonly actions: {
    readonly create: AdminApp['createTeamPermissionDefinition']
    readonly update: AdminApp['updateTeamPermissionDefinition']
    readonly remove: AdminApp['deleteTeamPermissionDefinition']
  }
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
        <FormButton
          label="Create a permission"
          button={{ isSmall: true, 'aria-label': `Create a permission ${where}` }}
          submit="Create permission"
          {...formOf(undefined, known)}
          save={values => actions.create(values)}
        />
      }
    >
      <WithStore store={store} label={title}>
        {all => (
          <>
            <ListOf label={title} items={all} empty="No permissions yet.">
              {definition => {
                const { id, containedPermissionIds } = definition
                return (
                  <Row
                    key={id}
                    title={<code>{id}</code>}
                    detail={
                      <>
                        {definition.description !== null && <p>{definition.description}</p>}
                        {containedPermissionIds.length > 0 && <p>Contains {containedPermissionIds.join(', ')}</p>}
                      </>
                    }
                    action={
                      id.startsWith('$') ? (
                        <StatusBadge>System</StatusBadge>
                      ) : (
                        <div className="auth-row snug actions">
                          <FormButton
                            label="Edit"
                            title={`Edit ${id}`}
                            button={{ kind: 'plain', isSmall: true, 'aria-label': `Edit ${id}` }}
                            formLabel="Edit the permission"
                            submit="Save permission"
                            {...formOf(definition, all)}
                            save={values => actions.update({ permissionId: id, ...values })}
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
              }}
            </ListOf>
            <PermissionGraph title={title} definitions={all} />
          </>
        )}
      </WithStore>
    </Section>
  )
}

/** The fields of a permission, or of a new one: its id, description and contained permissions. */
function formOf(definition: PermissionDefinition | undefined, all: readonly PermissionDefinition[]) {
  const { id = '', description, containedPermissionIds = [] } = definition ?? {}
  const others = all.filter(each => each.id !== id)
  const initial = { id, description: description ?? '', containedPermissionIds }
  const settings: readonly FormSetting<typeof initial>[] = [
    {
      name: 'id',
      label: 'Id',
      hint: definition
        ? 'Users keep the permission when its id changes. Your code has to check for the new id.'
        : 'Your code checks for this id.',
      placeholder: 'manage_billing',
      maxLength: 100,
      validate: text => (/^[a-z0-9_:]+$/.test(text.trim()) ? null : 'Use lower-case letters, digits, _ and :.'),
    },
    { name: 'description', label: 'Description' },
    {
      name: 'containedPermissionIds',
      label: 'Contains',
      hint: 'A user with this permission also has these.',
      kind: 'checkbox',
      options: others.map(each => ({ value: each.id, label: each.id })),
      isShown: () => others.length > 0,
    },
  ]
  const note = others.length === 0 && <p className="dim">There are no other permissions that it could contain.</p>
  return { initial, settings, note }
}
