import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { tell } from '../../ui/toasts'
import { useOpen } from '../../ui/use-open'
import type { Words } from '../../words/en'
import { useWords } from '../../words/use-words'

/** One address, its use, and its actions. */
export function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
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
            <Button kind="plain" isSmall aria-label={words.resendTo(channel.value)} does={send}>
              {words.resend}
            </Button>
          )}
          <ActionsMenu of={channel.value}>
            {!channel.isPrimary && channel.isVerified && (
              <MenuItem onClick={() => set({ isPrimary: true })}>{words.makePrimary}</MenuItem>
            )}
            <MenuItem onClick={() => set({ usedForAuth: !channel.usedForAuth })}>
              {channel.usedForAuth ? words.doNotUse : words.use}
            </MenuItem>
            <MenuItem isDangerous onClick={ask}>
              {words.delete}
            </MenuItem>
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
