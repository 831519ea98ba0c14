import { UserGroupIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { AnyAuthError, CurrentUser, TeamInvitationDetails } from 'rxauth'
import { useAction, useApp, useStore } from 'rxauth/react'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { Button, ButtonLink } from '../ui/button'
import { useGo } from '../ui/navigation'
import { Problem } from '../ui/problem'
import { tell } from '../ui/toasts'
import { DeadEnd } from './dead-end'
import { useOnArrival } from './use-on-arrival'
import { isUseless, uselessInvitation } from './useless-invitation'
import { Waiting } from './waiting'
import { useWords } from '../words/use-words'

interface Props {
  readonly code: string
  readonly user: CurrentUser
}

/** Shows a signed-in user the team of the invitation. */
export function Invitation({ code, user }: Props): ReactNode {
  const app = useApp()
  const { run: ask, ...details } = useAction(() => app.teamInvitationDetails({ code }))
  useOnArrival(() => void ask().catch(() => undefined))
  if (details.status === 'done') return <Join code={code} user={user} team={details.value} />
  if (details.status !== 'failed') return <Waiting title="Join a team" />
  return isUseless(details.error) ? (
    <Useless error={details.error} />
  ) : (
    <TryAgain title="Join a team" of={details} again={ask} />
  )
}

interface JoinProps extends Props {
  readonly team: TeamInvitationDetails
}

/** Joins the team, and selects it. */
function Join({ code, user, team: { teamId, teamDisplayName } }: JoinProps): ReactNode {
  const app = useApp()
  const go = useGo()
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
  if (join.status === 'failed' && isUseless(join.error)) return <Useless error={join.error} />
  const isMember = teams.status === 'ready' && teams.value.some(({ id }) => id === teamId) && join.status === 'idle'
  if (isMember)
    return (
      <AuthFrame title={teamDisplayName} subtitle="You are in this team already.">
        <Button onClick={() => void open()}>Open the team</Button>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={`Join ${teamDisplayName}`}
      icon={<UserGroupIcon />}
      subtitle={
        <>
          You are invited to the team <b className="breakable">{teamDisplayName}</b>. You join as{' '}
          <b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>.
        </>
      }
    >
      <Problem of={join} />
      <div className="stack snug">
        <Button does={join}>Join the team</Button>
        <ButtonLink kind="plain" to="/">
          Not now
        </ButtonLink>
        <UseAnotherAccount />
      </div>
    </AuthFrame>
  )
}

/** A link that this user cannot use, with the next thing to do. */
function Useless({ error }: { readonly error: AnyAuthError }): ReactNode {
  const words = useWords()
  const title = 'Join a team'
  const reason = uselessInvitation(error, words)
  return error.code === 'TEAM_INVITATION_EMAIL_MISMATCH' ? (
    <DeadEnd title={title} reason={reason} to="/handler/account-settings/emails" wayOn="Your e-mail addresses">
      <UseAnotherAccount />
    </DeadEnd>
  ) : (
    <DeadEnd title={title} reason={reason} to="/team" wayOn="Go to your teams" />
  )
}

/** Signs out, and returns to this page after the sign-in. */
function UseAnotherAccount(): ReactNode {
  const app = useApp()
  const change = useAction(async () => {
    await app.signOut()
    await app.redirectTo('signIn')
  })
  return (
    <>
      <Button kind="quiet" does={change}>
        Use another account
      </Button>
      <Problem of={change} />
    </>
  )
}
