import { Badge, Box, Button, Code, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { InternalApiKey } from 'rxauth/admin'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { PageHeading } from '../../ui/page-heading'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { CreateKeyDialog } from './create-key-dialog'
import { keyNames } from './key-names'

/** The keys that pages, servers and scripts use for the project. */
export function InternalKeys(): ReactNode {
  const { app } = useProject()
  const [isCreating, { open, close }] = useDisclosure()
  return (
    <>
      <Group justify="space-between" gap="sm">
        <PageHeading title="Project keys" />
        <Button onClick={open}>Create keys</Button>
      </Group>
      <Section title="Key sets" description="A set has up to three keys, which expire and are revoked together.">
        <StoreList store={app.internalApiKeys$} label="Key sets" empty="The project has no keys yet.">
          {sets => (
            <Rows label="Key sets">
              {sets.map(set => (
                <KeySetRow key={set.id} set={set} />
              ))}
            </Rows>
          )}
        </StoreList>
      </Section>
      <CreateKeyDialog isOpen={isCreating} onClose={close} />
    </>
  )
}

function KeySetRow({ set }: { readonly set: InternalApiKey }): ReactNode {
  const { app } = useProject()
  const { id, description, createdAt, expiresAt, manuallyRevokedAt } = set
  const isOver = manuallyRevokedAt !== null || expiresAt <= new Date()
  return (
    <Row>
      <Group justify="space-between" gap="sm" align="flex-start">
        <Box miw={0} flex="1 1 14rem">
          <Group gap="xs">
            <Text size="sm" fw={500} className="breakable">
              {description}
            </Text>
            {isOver ? (
              <Badge color="gray" variant="light" className="status-badge" c="dimmed">
                {manuallyRevokedAt ? 'Revoked' : 'Expired'}
              </Badge>
            ) : (
              <StatusBadge>Works</StatusBadge>
            )}
          </Group>
          {keyNames.map(({ key, label }) => {
            const value = set[key]
            return (
              value && (
                <Text key={key} size="xs" mt={4}>
                  {label}: <Code>…{value.lastFour}</Code>
                </Text>
              )
            )
          })}
          <Text size="xs" c="dimmed" mt={4}>
            Created on <Day at={createdAt} /> · {expiresAt <= new Date() ? 'expired' : 'expires'} on{' '}
            <Day at={expiresAt} />
          </Text>
        </Box>
        {!isOver && (
          <ConfirmButton
            size="xs"
            aria-label={`Revoke ${description}`}
            question="Revoke these keys?"
            consequence={
              <span className="breakable">
                {`Everything that uses “${description}” will be refused from now on. This cannot be undone.`}
              </span>
            }
            answer="Revoke keys"
            run={() => app.revokeInternalApiKey({ apiKeyId: id })}
          >
            Revoke
          </ConfirmButton>
        )}
      </Group>
    </Row>
  )
}
