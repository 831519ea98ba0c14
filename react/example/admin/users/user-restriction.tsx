import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { ConfirmButton } from '../../ui/confirm-button'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'

/** Restricts the user, or lifts the restriction. Absent on releases without restrictions. */
export function UserRestriction({ user }: { readonly user: ServerUser }): ReactNode {
  if (user.restrictedByAdmin === undefined) return null
  return user.restrictedByAdmin ? <Restricted user={user} /> : <Unrestricted user={user} />
}

function Restricted({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const { id: userId, restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: note } = user
  const end = useAction(() => app.updateUserById({ userId, restrictedByAdmin: false }))
  return (
    <Section
      title="Restriction"
      isDangerous
      description="An administrator has restricted this user, who can sign in, but not use the app."
      action={
        <Button
          variant="default"
          loading={end.status === 'running'}
          onClick={() => void end.run().catch(() => undefined)}
        >
          End the restriction
        </Button>
      }
    >
      <Stack gap={4} className="breakable">
        <Text size="sm">Reason: {reason ?? 'none given'}</Text>
        {note != null && <Text size="sm">Private note: {note}</Text>}
      </Stack>
      <Problem of={end} />
    </Section>
  )
}

function Unrestricted({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  return (
    <Section
      title="Restriction"
      description={
        user.restrictedReason?.type === 'email_not_verified'
          ? 'The user has to verify an e-mail address before using the app. You can restrict the user besides.'
          : 'A restricted user can sign in, but not use the app, until you end the restriction.'
      }
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          flex="1 1 14rem"
          label="Reason"
          description="The user may read it."
          autoComplete="off"
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <TextInput
          flex="1 1 14rem"
          label="Private note"
          description="For your team only."
          autoComplete="off"
          value={note}
          onChange={event => setNote(event.currentTarget.value)}
        />
      </Group>
      <Group>
        <ConfirmButton
          question="Restrict this user?"
          consequence="The user cannot use the app until you end the restriction. Nothing of the account is deleted."
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
      </Group>
    </Section>
  )
}
