import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { askBackend } from '../../app/backend'
import { queryParameter } from '../../ui/navigation'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Section } from '../../ui/section'
import { useOpen } from '../../ui/use-open'
import { ConfirmIdentity } from './confirm-identity'

/** Actions that cannot be undone. */
export function DangerZone(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const [linkCode] = useState(() => queryParameter('code'))
  const [isOpen, { open, close }] = useOpen(linkCode !== null)
  const deleteAccount = async (confirmation: string) => {
    await askBackend(app, { method: 'DELETE', path: '/api/account', headers: { 'x-confirmation': confirmation } })
    // Not on a page for signed-in users, which would redirect to the sign-in.
    await app.user$.refresh()
    await app.redirectTo('afterSignOut', { replace: true })
  }
  return (
    <Section
      title="Delete account"
      isDangerous
      description="Your account and everything that belongs to it will be deleted for good."
      action={
        <Button kind="danger" onClick={open}>
          Delete account
        </Button>
      }
    >
      <Dialog isOpen={isOpen} onClose={close} title="Delete your account?">
        <p>
          {`The account ${user.primaryEmail ?? user.id} and everything that belongs to it will be deleted. This cannot be undone. Confirm that it is you.`}
        </p>
        <ConfirmIdentity user={user} linkCode={linkCode} answer="Delete account for good" onConfirmed={deleteAccount} />
        <div className="row end">
          <Button kind="plain" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Section>
  )
}
