import { Box, Button, Code, Group, SimpleGrid, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ownedProjects$ } from 'rxauth'
import type { OwnedProject } from 'rxauth'
import { useApp, useUser } from 'rxauth/react'
import { Day } from '../../ui/day'
import { ButtonLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { AdminFrame } from '../admin-frame'
import { CreateProjectDialog } from './create-project-dialog'

/** The projects of the signed-in user, with a button to create one. */
export function ProjectsPage(): ReactNode {
  useUser({ or: 'redirect' })
  const app = useApp()
  const [isCreating, { open, close }] = useDisclosure()
  return (
    <AdminFrame>
      <Group justify="space-between" gap="sm">
        <PageHeading title="Your projects" />
        <Button onClick={open}>Create a project</Button>
      </Group>
      <StoreList
        store={ownedProjects$(app)}
        label="Projects"
        empty="You own no project yet. Create one: it has users, teams and keys of its own."
      >
        {projects => (
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {projects.map(project => (
              <ProjectCard
                key={project.id}
                project={project}
                isNamesake={projects.some(
                  ({ id, displayName }) => id !== project.id && displayName === project.displayName,
                )}
              />
            ))}
          </SimpleGrid>
        )}
      </StoreList>
      <CreateProjectDialog isOpen={isCreating} onClose={close} />
    </AdminFrame>
  )
}

interface Props {
  readonly project: OwnedProject
  /** Another project has the same name. */
  readonly isNamesake: boolean
}

function ProjectCard({ project, isNamesake }: Props): ReactNode {
  const { id, displayName, description, userCount, createdAt, isProductionMode } = project
  const shortId = id.slice(0, 8)
  return (
    <Section title={displayName} {...(description !== '' && { description })}>
      <Group justify="space-between" align="flex-end" gap="sm" mt="auto">
        <Box>
          {userCount !== undefined && <Text size="sm">{userCount === 1 ? '1 user' : `${userCount} users`}</Text>}
          <Text size="xs" c="dimmed">
            Since <Day at={createdAt} />
          </Text>
          {isNamesake && (
            <Text size="xs" c="dimmed">
              Id <Code>{shortId}…</Code>
            </Text>
          )}
        </Box>
        {isProductionMode && <StatusBadge>Production</StatusBadge>}
        <ButtonLink
          to={`/projects/${id}`}
          size="xs"
          variant="default"
          aria-label={isNamesake ? `Open ${displayName} (${shortId})` : `Open ${displayName}`}
        >
          Open
        </ButtonLink>
      </Group>
    </Section>
  )
}
