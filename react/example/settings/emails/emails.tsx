import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { AddEmailForm } from './add-email-form'
import { EmailRow } from './email-row'
import { useWords } from '../../words/use-words'

/** The user's addresses for mails and for sign-in. */
export function Emails(): ReactNode {
  const app = useApp()
  const words = useWords().account.emails
  return (
    <>
      <Section title={words.yours} description={words.yoursText}>
        <StoreList store={app.contactChannels$} label={words.title} empty={words.none}>
          {channel => <EmailRow key={channel.id} channel={channel} />}
        </StoreList>
      </Section>
      <Section title={words.add} description={words.addText}>
        <AddEmailForm />
      </Section>
    </>
  )
}
