import { EllipsisHorizontalIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction } from 'rxauth/react'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { EmailForm } from '../../ui/email-form'
import { Menu, MenuItem } from '../../ui/menu'
import { Problem } from '../../ui/problem'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useOpen } from '../../ui/use-open'
import { useProject } from '../project/project-context'

/** The addresses of a user. */
export function UserEmails({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const add = useAction((value: string) => app.createContactChannelById({ userId, value, usedForAuth: true }))
  return (
    <Section title="E-mail addresses">
      <StoreList
        store={app.contactChannelsOf$({ userId })}
        label="E-mail addresses"
        empty="The user has no e-mail address."
      >
        {channel => <EmailRow key={channel.id} channel={channel} />}
      </StoreList>
      <EmailForm
        label="New e-mail address"
        inline="Add an address"
        autoComplete="off"
        submit="Add address"
        action={add}
      />
    </Section>
  )
}

type EmailFlags = Partial<Record<'isPrimary' | 'isVerified' | 'usedForAuth', boolean>>

function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const { app } = useProject()
  const [isAsking, { open, close }] = useOpen()
  const { id: contactChannelId, userId, value, isPrimary, isVerified, usedForAuth } = channel
  const change = useAction((changes: EmailFlags) =>
    app.updateContactChannelById({ userId, contactChannelId, ...changes }),
  )
  const set = (changes: EmailFlags) => void change.run(changes).catch(() => undefined)
  return (
    <Row
      title={value}
      badges={
        <>
          {isPrimary && <StatusBadge>Primary</StatusBadge>}
          {!isVerified && <StatusBadge kind="warning">Unverified</StatusBadge>}
        </>
      }
      detail={usedForAuth && 'Used for sign-in'}
      action={
        <Menu label={`Actions for ${value}`} button={<EllipsisHorizontalIcon width={22} />}>
          {!isPrimary && <MenuItem onClick={() => set({ isPrimary: true })}>Make primary</MenuItem>}
          <MenuItem onClick={() => set({ isVerified: !isVerified })}>
            {isVerified ? 'Mark as not verified' : 'Mark as verified'}
          </MenuItem>
          <MenuItem onClick={() => set({ usedForAuth: !usedForAuth })}>
            {usedForAuth ? 'Stop using for sign-in' : 'Use for sign-in'}
          </MenuItem>
          <MenuItem isDangerous onClick={open}>
            Delete
          </MenuItem>
        </Menu>
      }
    >
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Delete this address?"
        consequence={`${value} will no longer belong to the account.`}
        answer="Delete address"
        run={() => app.deleteContactChannelById({ userId, contactChannelId })}
      />
    </Row>
  )
}
