import { UserGroupIcon } from '@heroicons/react/24/outline'
import { Button, Center, Stack, Text, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CurrentUser, TeamInvitationDetails } from 'rxauth'
import { useAction, useApp, useStore } from 'rxauth/react'
import { go } from '../app/navigation'
import { AuthFrame } from '../shell/auth-frame'
import { ButtonLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { tell } from '../ui/tell'
import { DeadEnd } from './dead-end'
import { isUseless, uselessInvitation } from './useless-invitation'
import { useOnArrival } from './use-on-arrival'
import { Waiting } from './waiting'

interface Props {
  readonly code: string
  readonly user: CurrentUser
}

const yourTeams = { to: '/team', wayOn: 'Go to your teams' }

/** Shows a signed-in user the team of the invitation. */
export function Invitation({ code, user }: Props): ReactNode {
  const app = useApp()
  const { run: ask, ...details } = useAction(() => app.teamInvitationDetails({ code }))
  useOnArrival(() => void ask().catch(() => undefined))
  if (details.status === 'done') return <Join code={code} user={user} team={details.value} />
  if (details.status !== 'failed') return <Waiting title="Join a team" />
  return isUseless(details.error) ? (
    <DeadEnd title="Join a team" reason={uselessInvitation(details.error)} {...yourTeams} />
  ) : (
    <AuthFrame title="Join a team">
      <Problem of={details} />
      <Button onClick={() => void ask().catch(() => undefined)}>Try again</Button>
    </AuthFrame>
  )
}

interface JoinProps extends Props {
  readonly team: TeamInvitationDetails
}

/** Joins the team, and selects it. */
function Join({ code, user, team: { teamId, teamDisplayName } }: JoinProps): ReactNode {
  const app = useApp()
  const teams = useStore(app.teams$)
  const open = async () => {
    // A member who has another team selected finds this one in the switcher.
    await app.selectTeam({ teamId }).catch(() => undefined)
    go('/team', { replace: true })
  }
  const join = useAction(async () => {
    const result = await app.acceptTeamInvitation({ code })
    if (!result.ok) return result
    tell(`You are now in the team ${teamDisplayName}.`)
    await open()
    return result
  })
  const changeAccount = useAction(async () => {
    await app.signOut()
    await app.redirectTo('signIn')
  })
  if (join.status === 'failed' && isUseless(join.error))
    return <DeadEnd title="Join a team" reason={uselessInvitation(join.error)} {...yourTeams} />
  const isMember = teams.status === 'ready' && teams.value.some(({ id }) => id === teamId) && join.status === 'idle'
  if (isMember)
    return (
      <AuthFrame title={teamDisplayName} subtitle="You are in this team already.">
        <Button size="md" onClick={() => void open()}>
          Open the team
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame title={`Join ${teamDisplayName}`}>
      <Stack gap="md">
        <Center>
          <ThemeIcon size={48} radius="xl" variant="light">
            <UserGroupIcon width={24} />
          </ThemeIcon>
        </Center>
        <Text size="sm" ta="center">
          You are invited to the team <b className="breakable">{teamDisplayName}</b>. You join as{' '}
          <b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>.
        </Text>
        <Problem of={join} />
      </Stack>
      <Stack gap="xs">
        <Button size="md" loading={join.status === 'running'} onClick={() => void join.run().catch(() => undefined)}>
          Join the team
        </Button>
        <ButtonLink to="/" variant="default" size="md">
          Not now
        </ButtonLink>
        <Button
          variant="subtle"
          loading={changeAccount.status === 'running'}
          onClick={() => void changeAccount.run().catch(() => undefined)}
        >
          Use another account
        </Button>
        <Problem of={changeAccount} />
      </Stack>
    </AuthFrame>
  )
}
