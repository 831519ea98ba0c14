import { useState, type ReactNode } from 'react'
import { useParams } from 'wouter'
import { Instant } from '../local/instant'
import { mails$ } from '../local/live'
import { WithLive } from '../local/with-live'
import { PageFrame } from '../page-frame'
import { LinkRow, SearchedList } from '../searched-list'
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
            <SearchedList
              label="Mails"
              placeholder="Address or subject"
              typed={typed}
              onType={setTyped}
              items={mails}
              empty={all.length === 0 ? 'No mails yet. They appear here as they are sent.' : 'No mail matches.'}
              row={mail => (
                <LinkRow
                  key={mail.id}
                  to={`/mailbox/${mail.id}`}
                  isOpen={mail === open}
                  title={mail.subject}
                  detail={
                    <>
                      {mail.to} · <Instant at={mail.sentAt} />
                    </>
                  }
                />
              )}
            >
              {open && <OpenMail key={open.id} mail={open} />}
            </SearchedList>
          )
        }}
      </WithLive>
    </PageFrame>
  )
}
