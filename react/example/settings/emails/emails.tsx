import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Problem } from '../../ui/alert'
import { Button } from '../../ui/button'
import { ConfirmDialog, useOpen } from '../../ui/dialog'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { Row, StoreList } from '../../ui/rows'
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
  const contactChannelId = channel.id
  const [isAsking, { open: ask, close }] = useOpen()
  const send = useAction(async () => {
    const result = await app.sendContactChannelVerification({ contactChannelId })
    if (result.ok) tell(words.resent(channel.value))
    return result
  })
  const change = useAction((changes: { isPrimary?: boolean; usedForAuth?: boolean }) =>
    app.updateContactChannel({ contactChannelId, ...changes }),
  )
  const set = (changes: { isPrimary?: boolean; usedForAuth?: boolean }) =>
    void change.run(changes).catch(() => undefined)
  return (
    <Row
      title={channel.value}
      badges={
        <>
          {channel.isPrimary && <StatusBadge>{words.primary}</StatusBadge>}
          {!channel.isVerified && <StatusBadge kind="warning">{words.unverified}</StatusBadge>}
        </>
      }
      detail={channel.usedForAuth && words.forSignIn}
      action={
        <div className="auth-row tight">
          {!channel.isVerified && (
            <Button label={words.resend} kind="plain" isSmall aria-label={words.resendTo(channel.value)} does={send} />
          )}
          <ActionsMenu of={channel.value}>
            {!channel.isPrimary && channel.isVerified && (
              <MenuItem label={words.makePrimary} onClick={() => set({ isPrimary: true })} />
            )}
            <MenuItem
              label={channel.usedForAuth ? words.doNotUse : words.use}
              onClick={() => set({ usedForAuth: !channel.usedForAuth })}
            />
            <MenuItem label={words.delete} isDangerous onClick={ask} />
          </ActionsMenu>
        </div>
      }
    >
      <Problem of={send} />
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question={words.deleteQuestion}
        consequence={consequenceOf(channel, words)}
        answer={words.deleteAnswer}
        run={() => app.deleteContactChannel({ contactChannelId })}
      />
    </Row>
  )
}

function consequenceOf({ value, isPrimary, usedForAuth }: ContactChannel, words: Words['account']['emails']): string {
  if (usedForAuth) return isPrimary ? words.noSignInNorMail(value) : words.noSignIn(value)
  return isPrimary ? words.noMail : words.notYours(value)
}
