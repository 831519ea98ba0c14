import { Box, Button, Group, Text, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { TeamInvitation } from 'rxauth'
import { useAction, useApp, useCan } from 'rxauth/react'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { problemOf } from '../../ui/problem'
import { Row, Rows } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StoreList } from '../../ui/store-list'
import { tellFailure } from '../../ui/tell'

/** Invites to the team and lists its open invitations, for members with the permission to invite. */
export function Invitations({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const mayRead = useCan({ permissionId: '$read_members', teamId })
  const mayRemove = useCan({ permissionId: '$remove_members', teamId })
  return (
    <Section title="Invitations" description="We will send a link to join. It works for seven days.">
      <InvitationForm teamId={teamId} />
      <StoreList
        store={app.teamInvitations$({ teamId })}
        label="Invitations"
        isForbidden={mayRead === false}
        empty="There are no open invitations."
      >
        {invitations => (
          <Rows label="Invitations">
            {invitations.map(invitation => (
              <InvitationRow key={invitation.id} invitation={invitation} mayRevoke={mayRemove === true} />
            ))}
          </Rows>
        )}
      </StoreList>
    </Section>
  )
}

function InvitationForm({ teamId }: { readonly teamId: string }): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.') },
    transformValues: ({ email }) => ({ email: email.trim() }),
    onValuesChange: () => send.status === 'failed' && send.reset(),
  })
  const send = useAction(async (email: string) => {
    await app.sendTeamInvitation({ teamId, email })
    // Another one may have been typed meanwhile.
    if (form.getValues().email.trim() === email) form.reset()
  })
  const isBusy = send.status === 'running'
  return (
    <form
      noValidate
      aria-label="Invite"
      onSubmit={form.onSubmit(({ email }) => {
        if (!isBusy) void send.run(email).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          type="email"
          aria-label="E-mail address to invite"
          placeholder="grace@example.com"
          autoComplete="off"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? problemOf(send)}
        />
        <Button type="submit" size="md" loading={isBusy}>
          Send invitation
        </Button>
      </Group>
    </form>
  )
}

interface RowProps {
  readonly invitation: TeamInvitation
  readonly mayRevoke: boolean
}

function InvitationRow({ invitation, mayRevoke }: RowProps): ReactNode {
  const app = useApp()
  const { id: invitationId, teamId, recipientEmail, expiresAt } = invitation
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text size="sm" fw={500} className="breakable">
            {recipientEmail}
          </Text>
          <Text size="xs" c="dimmed">
            Invited, until <Day at={expiresAt} />
          </Text>
        </Box>
        {mayRevoke && (
          <ConfirmButton
            size="xs"
            flex="none"
            aria-label={`Take back the invitation of ${recipientEmail}`}
            question="Take this invitation back?"
            consequence={<span className="breakable">The link that {recipientEmail} got will not work any more.</span>}
            answer="Take it back"
            // The row and this dialog close before the answer.
            run={() => app.revokeTeamInvitation({ teamId, invitationId }).catch(tellFailure)}
          >
            Take back
          </ConfirmButton>
        )}
      </Group>
    </Row>
  )
}
