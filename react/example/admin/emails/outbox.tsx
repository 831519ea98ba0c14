import { Box, Button, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { view } from 'rxauth'
import { cancelEmail, emailOutbox$, pauseEmail, resumeEmail, retryEmail } from 'rxauth/server'
import type { EmailRecipient, OutboxEmail } from 'rxauth/server'
import { useAction } from 'rxauth/react'
import { Problem } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useProject } from '../project/project-context'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const rows$ = view(emailOutbox$, ({ items }) => items)

const filters = [
  { value: '', label: 'All mails' },
  { value: 'in-progress', label: 'Waiting' },
  { value: 'ok', label: 'Sent' },
  { value: 'error', label: 'Failed' },
] as const

const colors = { 'in-progress': 'blue', ok: 'teal', error: 'red' } as const

/** The latest mails of the project, waiting or ended. */
export function Outbox(): ReactNode {
  const { app } = useProject()
  const [filter, setFilter] = useState<(typeof filters)[number]['value']>('')
  const store = rows$(app, { limit: 50, ...(filter && { simpleStatus: filter }) })
  return (
    <Section title="Outbox" description="Mails that wait, and those that have gone, newest first.">
      <NativeSelect
        aria-label="Which mails"
        size="md"
        maw={240}
        value={filter}
        data={filters}
        onChange={event => setFilter(event.currentTarget.value as typeof filter)}
      />
      <StoreList store={store} label="Outbox" empty="There is no such mail.">
        {emails => (
          <Rows label="Outbox">
            {emails.map(email => (
              <Row key={email.id}>
                <OutboxRow email={email} />
              </Row>
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}

function OutboxRow({ email }: { readonly email: OutboxEmail }): ReactNode {
  const { app } = useProject()
  const { id: emailId, status, simpleStatus, scheduledAt, to, hasRendered } = email
  // A mail has a subject once it is rendered, and while it is not paused.
  const subject = email.subject ?? (hasRendered ? 'No subject' : `Mail to ${receiverOf(to)}`)
  const change = useAction((write: typeof pauseEmail) => write(app, { emailId }))
  const button = (label: string, write: typeof pauseEmail) => (
    <Button
      variant="default"
      size="xs"
      aria-label={`${label}: ${subject}`}
      onClick={() => void change.run(write).catch(() => undefined)}
    >
      {label}
    </Button>
  )
  const isFailed = status === 'render-error' || status === 'server-error'
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Box miw={0} flex="1 1 14rem">
          <Text size="sm" fw={500} className="breakable">
            {subject}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            To {receiverOf(to)} · <time dateTime={scheduledAt.toISOString()}>{instant.format(scheduledAt)}</time>
          </Text>
          {reasonOf(email) && (
            <Text size="xs" className="breakable">
              {reasonOf(email)}
            </Text>
          )}
        </Box>
        <Group gap="xs">
          <StatusBadge color={colors[simpleStatus]}>{status}</StatusBadge>
          {simpleStatus === 'in-progress' && (
            <>
              {status === 'paused' ? button('Resume', resumeEmail) : button('Pause', pauseEmail)}
              {button('Send now', retryEmail)}
              {button('Cancel', cancelEmail)}
            </>
          )}
          {isFailed && button('Try again', retryEmail)}
        </Group>
      </Group>
      <Problem of={change} />
    </>
  )
}

function receiverOf(to: EmailRecipient): string {
  if ('emails' in to) return to.emails.join(', ')
  return `the primary address of the user ${to.userId}`
}

function reasonOf(email: OutboxEmail): string | undefined {
  switch (email.status) {
    case 'render-error':
      return email.renderError
    case 'server-error':
      return email.serverError
    case 'skipped':
      return email.skippedReason
    default:
      return undefined
  }
}
