import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { EmailForm } from '../../ui/email-form'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
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

/** Adds an address, and sends the link that verifies it. */
function AddEmailForm(): ReactNode {
  const app = useApp()
  const words = useWords().account.emails
  const add = useAction(async (value: string) => {
    const result = await app.createContactChannel({ value })
    if (!result.ok) return result
    // The address exists even if the mail failed; its row has a button to send it again.
    await app.sendContactChannelVerification({ contactChannelId: result.value.id }).catch(() => undefined)
    return result
  })
  return (
    <EmailForm inline={words.add} label={words.newAddress} autoComplete="email" submit={words.submit} action={add} />
  )
}
