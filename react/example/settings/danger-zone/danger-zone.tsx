import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { useMethods } from '../../sign-in/methods'
import { ConfirmButton } from '../../ui/confirm-button'
import { Section } from '../../ui/section'
import { SwitchedOff } from '../../ui/switched-off'

/** Actions that cannot be undone. */
export function DangerZone(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const project = useMethods()
  const isAllowed = project.status === 'ready' && project.value.config.clientUserDeletionEnabled
  return (
    <Section
      title="Delete account"
      isDangerous
      description="Your account and everything that belongs to it will be deleted for good."
      action={
        isAllowed && (
          <ConfirmButton
            color="red"
            variant="filled"
            question="Delete your account?"
            consequence={`The account ${user.primaryEmail ?? user.id} and everything that belongs to it will be deleted. This cannot be undone.`}
            answer="Delete account for good"
            run={async () => {
              // Not on a page for signed-in users, which would redirect to the sign-in.
              await app.deleteUser()
              await app.redirectTo('afterSignOut', { replace: true })
            }}
          >
            Delete account
          </ConfirmButton>
        )
      }
    >
      {project.status === 'ready' && !isAllowed && (
        <SwitchedOff setting="clientUserDeletionEnabled">
          You cannot delete your account here. Please contact the support.
        </SwitchedOff>
      )}
    </Section>
  )
}
