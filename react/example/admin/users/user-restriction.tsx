import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { Button } from '../../ui/button'
import { ConfirmButton } from '../../ui/confirm-button'
import { TextField } from '../../ui/field'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'

interface Props {
  readonly user: ServerUser
}

/** Restricts the user, or lifts the restriction. Absent on releases without restrictions. */
export function UserRestriction({ user }: Props): ReactNode {
  if (user.restrictedByAdmin === undefined) return null
  return user.restrictedByAdmin ? <Restricted user={user} /> : <Unrestricted user={user} />
}

function Restricted({ user }: Props): ReactNode {
  const { app } = useProject()
  const { id: userId, restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: note } = user
  const end = useAction(() => app.updateUserById({ userId, restrictedByAdmin: false }))
  return (
    <Section
      title="Restriction"
      isDangerous
      description="An administrator has restricted this user. The user can sign in, but cannot use the app."
      action={
        <Button kind="plain" does={end}>
          End the restriction
        </Button>
      }
    >
      <p>Reason: {reason ?? 'none given'}</p>
      {note != null && <p>Private note: {note}</p>}
      <Problem of={end} />
    </Section>
  )
}

function Unrestricted({ user }: Props): ReactNode {
  const { app } = useProject()
  const form = useForm({ initial: { reason: '', note: '' } })
  const { reason, note } = form.values
  const isUnverified = user.restrictedReason?.type === 'email_not_verified'
  return (
    <Section
      title="Restriction"
      description={
        isUnverified
          ? 'The user has to verify an e-mail address before using the app. You can restrict the user as well.'
          : 'A restricted user can sign in, but cannot use the app until you end the restriction.'
      }
    >
      <div className="auth-row bottom">
        <TextField
          className="grow"
          label="Reason"
          hint="The user may read it."
          autoComplete="off"
          {...form.field('reason')}
        />
        <TextField
          className="grow"
          label="Private note"
          hint="For your team only."
          autoComplete="off"
          {...form.field('note')}
        />
      </div>
      <div className="auth-row">
        <ConfirmButton
          question="Restrict this user?"
          consequence="The user cannot use the app until you end the restriction. No data is deleted."
          answer="Restrict"
          run={() =>
            app.updateUserById({
              userId: user.id,
              restrictedByAdmin: true,
              restrictedByAdminReason: reason.trim() || null,
              restrictedByAdminPrivateDetails: note.trim() || null,
            })
          }
        >
          Restrict user
        </ConfirmButton>
      </div>
    </Section>
  )
}
