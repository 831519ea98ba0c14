import { Box, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The mails that the platform has sent for the project. */
export function SentMails(): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Sent mail" description="The last hundred, newest first.">
      <StoreList store={app.sentEmails$} label="Sent mail" empty="Nothing has been sent yet.">
        {mails => (
          <Rows label="Sent mail">
            {mails.map(({ id, subject, recipient, sentAt, error }) => (
              <Row key={id}>
                <Group justify="space-between" gap="sm">
                  <Box miw={0} flex="1 1 14rem">
                    <Text size="sm" fw={500} className="breakable">
                      {subject}
                    </Text>
                    <Text size="xs" c="dimmed" className="breakable">
                      To {recipient} · <time dateTime={sentAt.toISOString()}>{instant.format(sentAt)}</time>
                    </Text>
                  </Box>
                  {error === null ? <StatusBadge>Sent</StatusBadge> : <StatusBadge color="red">Not sent</StatusBadge>}
                </Group>
              </Row>
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}
