import { useState, type ReactNode } from 'react'
import { view } from 'rxauth'
import { useAction } from 'rxauth/react'
import { cancelEmail, emailOutbox$, pauseEmail, resumeEmail, retryEmail } from 'rxauth/server'
import type { EmailRecipient, OutboxEmail } from 'rxauth/server'
import { Button } from '../../ui/button'
import { Select } from '../../ui/field'
import { Problem } from '../../ui/alert'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { Instant } from '../../ui/instant'
import { useProject } from '../project/project-context'

const rows$ = view(emailOutbox$, ({ items }) => items)

const filters = [
  { value: '', label: 'All mails' },
  { value: 'in-progress', label: 'Waiting' },
  { value: 'ok', label: 'Sent' },
  { value: 'error', label: 'Failed' },
] as const

const kinds = { 'in-progress': 'info', ok: 'plain', error: 'danger' } as const

/** The latest mails of the project, waiting or ended. */
export function Outbox(): ReactNode {
  const { app } = useProject()
  const [filter, setFilter] = useState<(typeof filters)[number]['value']>('')
  const store = rows$(app, { limit: 50, ...(filter && { simpleStatus: filter }) })
  return (
    <Section title="Outbox" description="Mails that wait or have been sent, newest first.">
      <Select
        className="narrow"
        aria-label="Which mails"
        value={filter}
        options={filters}
        onChange={event => setFilter(event.currentTarget.value as typeof filter)}
      />
      <StoreList store={store} label="Outbox" empty="There are no mails here.">
        {email => <OutboxRow key={email.id} email={email} />}
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
      label={label}
      kind="plain"
      isSmall
      aria-label={`${label}: ${subject}`}
      does={{ status: change.status, run: () => change.run(write) }}
    />
  )
  const isFailed = status === 'render-error' || status === 'server-error'
  return (
    <Row
      title={subject}
      badges={<StatusBadge kind={kinds[simpleStatus]}>{status}</StatusBadge>}
      detail={
        <>
          <p>
            To {receiverOf(to)} · <Instant at={scheduledAt} />
          </p>
          <p>{reasonOf(email)}</p>
        </>
      }
      action={
        <div className="auth-row snug actions">
          {simpleStatus === 'in-progress' && (
            <>
              {status === 'paused' ? button('Resume', resumeEmail) : button('Pause', pauseEmail)}
              {button('Send now', retryEmail)}
              {button('Cancel', cancelEmail)}
            </>
          )}
          {isFailed && button('Try again', retryEmail)}
        </div>
      }
    >
      <Problem of={change} />
    </Row>
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
