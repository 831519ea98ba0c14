import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { AddEmailForm } from './add-email-form'
import { EmailRow } from './email-row'

/** The user's addresses for mails and for sign-in. */
export function Emails(): ReactNode {
  const app = useApp()
  return (
    <>
      <Section
        title="Your e-mail addresses"
        description="We write to the primary address. You can sign in with each address that is used for sign-in."
      >
        <StoreList store={app.contactChannels$} label="E-mail addresses" empty="You have no e-mail address yet.">
          {channel => <EmailRow key={channel.id} channel={channel} />}
        </StoreList>
      </Section>
      <Section title="Add an address" description="We will send a link to it to verify that it is yours.">
        <AddEmailForm />
      </Section>
    </>
  )
}
