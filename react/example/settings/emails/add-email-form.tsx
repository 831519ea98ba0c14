import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { EmailForm } from '../../ui/email-form'
import { useWords } from '../../words/use-words'

/** Adds an address, and sends the link that verifies it. */
export function AddEmailForm(): ReactNode {
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
