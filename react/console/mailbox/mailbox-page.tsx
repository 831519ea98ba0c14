import { Box, Grid, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { LocalMail } from 'rxauth/platform'
import { Link, useParams } from 'wouter'
import { Row, Rows } from '../../example/ui/rows'
import { mails$ } from '../local/live'
import { Instant } from '../local/instant'
import { WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { OpenMail } from './open-mail'

/** Every mail as it is sent. The newest one is open until another one is chosen. */
export function MailboxPage(): ReactNode {
  const { mailId } = useParams()
  const [typed, setTyped] = useState('')
  return (
    <PageFrame title="Mailbox" description="What the platform has sent. Nothing leaves this machine.">
      <WithLive source$={mails$} label="Mailbox">
        {all => {
          const wanted = typed.trim().toLowerCase()
          const mails = all.filter(({ to, subject }) => `${to} ${subject}`.toLowerCase().includes(wanted))
          const open = all.find(({ id }) => id === mailId) ?? mails[0]
          return (
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Paper p={{ base: 'md', sm: 'lg' }}>
                  <Stack gap="sm">
                    <TextInput
                      type="search"
                      label="Search"
                      placeholder="Address or subject"
                      value={typed}
                      onChange={event => setTyped(event.currentTarget.value)}
                    />
                    {mails.length === 0 ? (
                      <Text size="sm" c="dimmed" role="status">
                        {all.length === 0
                          ? 'No mail yet. It appears here as soon as it is sent.'
                          : `No mail matches “${typed.trim()}”.`}
                      </Text>
                    ) : (
                      <Rows label="Mails">
                        {mails.map(mail => (
                          <MailRow key={mail.id} mail={mail} isOpen={mail === open} />
                        ))}
                      </Rows>
                    )}
                  </Stack>
                </Paper>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 7 }}>{open && <OpenMail key={open.id} mail={open} />}</Grid.Col>
            </Grid>
          )
        }}
      </WithLive>
    </PageFrame>
  )
}

function MailRow({ mail, isOpen }: { readonly mail: LocalMail; readonly isOpen: boolean }): ReactNode {
  const { id, to, subject, sentAt } = mail
  return (
    <Row>
      <Link href={`/mailbox/${id}`} className="row-link" {...(isOpen && { 'aria-current': true })}>
        <Box miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {subject}
          </Text>
          <Text size="xs" c="dimmed" className="breakable">
            {to} · <Instant at={sentAt} />
          </Text>
        </Box>
      </Link>
    </Row>
  )
}
