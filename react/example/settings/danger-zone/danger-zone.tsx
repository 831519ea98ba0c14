import { useState } from 'react'
import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { useOwnBackend } from '../../shell/own-backend'
import { useMethods } from '../../sign-in/methods'
import { queryParameter } from '../../ui/navigation'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Section } from '../../ui/section'
import { SwitchedOff } from '../../ui/switched-off'
import { useOpen } from '../../ui/use-open'
import { ConfirmIdentity } from './confirm-identity'
import { useWords } from '../../words/use-words'

/** Actions that cannot be undone. */
export function DangerZone(): ReactNode {
  const app = useApp()
  const { account, ui } = useWords()
  const words = account.danger
  const user = useUser({ or: 'redirect' })
  const backend = useOwnBackend()
  const project = useMethods()
  const isOn = backend.deleteAccount
    ? true
    : project.status === 'ready'
      ? project.value.config.clientUserDeletionEnabled
      : undefined
  const [linkCode] = useState(() => queryParameter('code'))
  const [isOpen, { open, close }] = useOpen(linkCode !== null)
  const deleteAccount = async (confirmation: string) => {
    await (backend.deleteAccount ? backend.deleteAccount(app, { confirmation }) : app.deleteUser())
    // Not on a page for signed-in users, which would redirect to the sign-in.
    await app.user$.refresh()
    await app.redirectTo('afterSignOut', { replace: true })
  }
  return (
    <Section
      title={words.delete}
      isDangerous
      description={words.text}
      action={
        isOn && (
          <Button kind="danger" onClick={open}>
            {words.delete}
          </Button>
        )
      }
    >
      {isOn === false && <SwitchedOff setting="clientUserDeletionEnabled">{words.isOff}</SwitchedOff>}
      <Dialog isOpen={isOpen && isOn === true} onClose={close} title={words.question}>
        <p>{words.consequence(user.primaryEmail ?? user.id)}</p>
        <ConfirmIdentity user={user} linkCode={linkCode} answer={words.answer} onConfirmed={deleteAccount} />
        <div className="auth-row end">
          <Button kind="plain" onClick={close}>
            {ui.cancel}
          </Button>
        </div>
      </Dialog>
    </Section>
  )
}
