import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/status-badge'
import { useOpen } from '../../ui/use-open'

/** One address, its use, and its actions. */
export function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const app = useApp()
  const contactChannelId = channel.id
  const [isAsking, { open: ask, close }] = useOpen()
  const send = useAction(() => app.sendContactChannelVerification({ contactChannelId }))
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
          {channel.isPrimary && <StatusBadge>Primary</StatusBadge>}
          {channel.usedForAuth && <StatusBadge>Used for sign-in</StatusBadge>}
          {channel.isVerified ? (
            <StatusBadge>Verified</StatusBadge>
          ) : (
            <Button kind="quiet" isSmall does={send}>
              {send.status === 'done' ? 'Link sent. Resend link' : 'Not verified. Resend link'}
            </Button>
          )}
        </>
      }
      action={
        <ActionsMenu of={channel.value}>
          {!channel.isPrimary && channel.isVerified && (
            <MenuItem onClick={() => set({ isPrimary: true })}>Make primary</MenuItem>
          )}
          <MenuItem onClick={() => set({ usedForAuth: !channel.usedForAuth })}>
            {channel.usedForAuth ? 'Do not use for sign-in' : 'Use for sign-in'}
          </MenuItem>
          <MenuItem isDangerous onClick={ask}>
            Delete
          </MenuItem>
        </ActionsMenu>
      }
    >
      <Problem of={send} />
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Delete this address?"
        consequence={consequenceOf(channel)}
        answer="Delete address"
        run={() => app.deleteContactChannel({ contactChannelId })}
      />
    </Row>
  )
}

function consequenceOf({ value, isPrimary, usedForAuth }: ContactChannel): string {
  if (usedForAuth) return `You can no longer sign in with ${value}.${isPrimary ? ' It is also where we write to.' : ''}`
  return isPrimary ? `We will have no address to write to.` : `${value} will no longer belong to your account.`
}
