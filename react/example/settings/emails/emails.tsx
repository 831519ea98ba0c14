import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from '../../ui/alert'
import { Button } from '../../ui/button'
import { MenuRow, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { EmailForm } from '../../ui/short-forms'
import { tell } from '../../ui/toasts'
import type { Words } from '../../words/en'
import { useWords } from '../../words/use-words'

/** The user's addresses for mails and for sign-in. */
export function Emails(): ReactNode {
  const app = useApp()
  const words = useWords().account.emails
  /** Adds an address, and sends the link that verifies it. */
  const add = useAction(async (value: string) => {
    const result = await app.createContactChannel({ value })
    if (!result.ok) return result
    // The address exists even if the mail failed; its row has a button to send it again.
    await app.sendContactChannelVerification({ contactChannelId: result.value.id }).catch(() => undefined)
    return result
  })
  return (
    <>
      <Section title={words.yours} description={words.yoursText}>
        <StoreList store={app.contactChannels$} label={words.title} empty={words.none}>
          {channel => <EmailRow key={channel.id} channel={channel} />}
        </StoreList>
      </Section>
      <Section title={words.add} description={words.addText}>
        <EmailForm
          inline={words.add}
          label={words.newAddress}
          autoComplete="email"
          submit={words.submit}
          action={add}
        />
      </Section>
    </>
  )
}

/** One address, its use, and its actions. */
function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const app = useApp()
  const words = useWords().account.emails
  const { id: contactChannelId, value, isPrimary, isVerified, usedForAuth } = channel
  const send = useAction(async () => {
    const result = await app.sendContactChannelVerification({ contactChannelId })
    if (result.ok) tell(words.resent(value))
    return result
  })
  const change = (changes: { isPrimary?: boolean; usedForAuth?: boolean }) =>
    app.updateContactChannel({ contactChannelId, ...changes })
  return (
    <MenuRow
      of={value}
      title={value}
      badges={
        <>
          {isPrimary && <StatusBadge>{words.primary}</StatusBadge>}
          {!isVerified && <StatusBadge kind="warning">{words.unverified}</StatusBadge>}
        </>
      }
      detail={usedForAuth && words.forSignIn}
      button={
        !isVerified && (
          <Button label={words.resend} kind="plain" isSmall aria-label={words.resendTo(value)} does={send} />
        )
      }
      actions={[
        !isPrimary && isVerified && { label: words.makePrimary, run: () => change({ isPrimary: true }) },
        {
          label: usedForAuth ? words.doNotUse : words.use,
          run: () => change({ usedForAuth: !usedForAuth }),
        },
        {
          label: words.delete,
          question: words.deleteQuestion,
          consequence: consequenceOf(channel, words),
          answer: words.deleteAnswer,
          run: () => app.deleteContactChannel({ contactChannelId }),
        },
      ]}
    >
      <Problem of={send} />
    </MenuRow>
  )
}

function consequenceOf({ value, isPrimary, usedForAuth }: ContactChannel, words: Words['account']['emails']): string {
  if (usedForAuth) return isPrimary ? words.noSignInNorMail(value) : words.noSignIn(value)
  return isPrimary ? words.noMail : words.notYours(value)
}
