import { Badge, Box, Button, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Store } from 'rxauth'
import type { PermissionDefinition } from 'rxauth/admin'
import { useStore } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Dialog } from '../../ui/dialog'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
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
  const [isCreating, { open, close }] = useDisclosure()
  return (
    <Section
      title={title}
      description={description}
      action={
        <Button size="xs" onClick={open} aria-label={`Create a permission ${where}`}>
          Create a permission
        </Button>
      }
    >
      <StoreList store={store} label={title} empty="There are none yet.">
        {definitions => (
          <>
            <Rows label={title}>
              {definitions.map(definition => (
                <DefinitionRow key={definition.id} definition={definition} all={definitions} actions={actions} />
              ))}
            </Rows>
            <PermissionGraph title={title} definitions={definitions} />
          </>
        )}
      </StoreList>
      <Dialog isOpen={isCreating} onClose={close} title="Create a permission">
        <DefinitionForm all={snapshot.status === 'ready' ? snapshot.value : []} actions={actions} onClose={close} />
      </Dialog>
    </Section>
  )
}

interface RowProps {
  readonly definition: PermissionDefinition
  readonly all: readonly PermissionDefinition[]
  readonly actions: DefinitionActions
}

function DefinitionRow({ definition, all, actions }: RowProps): ReactNode {
  const [isEditing, { open, close }] = useDisclosure()
  const { id, description, containedPermissionIds } = definition
  const isSystem = id.startsWith('$')
  return (
    <Row>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Box miw={0} flex="1 1 14rem">
          <Code fz="sm">{id}</Code>
          {description !== null && description !== '' && (
            <Text size="sm" mt={4} className="breakable">
              {description}
            </Text>
          )}
          {containedPermissionIds.length > 0 && (
            <Text size="xs" c="dimmed" mt={4} className="breakable">
              Contains {containedPermissionIds.join(', ')}
            </Text>
          )}
        </Box>
        {isSystem ? (
          <Badge color="gray" variant="light" className="status-badge" c="dimmed">
            System
          </Badge>
        ) : (
          <Group gap="xs">
            <Button size="xs" variant="default" aria-label={`Edit ${id}`} onClick={open}>
              Edit
            </Button>
            <ConfirmButton
              size="xs"
              aria-label={`Delete ${id}`}
              question="Delete this permission?"
              consequence={
                <span className="breakable">
                  {`Every user with ${id} loses it, and what contains it does so no longer. This cannot be undone.`}
                </span>
              }
              answer="Delete permission"
              run={() => actions.remove({ permissionId: id })}
            >
              Delete
            </ConfirmButton>
          </Group>
        )}
      </Group>
      <Dialog isOpen={isEditing} onClose={close} title={`Edit ${id}`}>
        <DefinitionForm definition={definition} all={all} actions={actions} onClose={close} />
      </Dialog>
    </Row>
  )
}
