import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Day } from '../../ui/day'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'
import { CreateTeamDialog } from './create-team-dialog'

/** Every team of the project. */
export function TeamList(): ReactNode {
  const { app, base } = useProject()
  const [isCreating, { open, close }] = useDisclosure()
  return (
    <>
      <Group justify="space-between" gap="sm">
        <PageHeading title="Teams" />
        <Button onClick={open}>Create a team</Button>
      </Group>
      <Section title="All teams">
        <StoreList store={app.allTeams$} label="Teams" empty="There are no teams yet.">
          {teams => (
            <Rows label="Teams">
              {teams.map(({ id, displayName, createdAt }) => (
                <Row key={id}>
                  <Group justify="space-between" gap="sm">
                    <TextLink to={`${base}/teams/${id}`} size="sm" fw={500} className="breakable">
                      {displayName}
                    </TextLink>
                    <Text size="xs" c="dimmed">
                      Since <Day at={createdAt} />
                    </Text>
                  </Group>
                </Row>
              ))}
            </Rows>
          )}
        </StoreList>
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </>
  )
}
