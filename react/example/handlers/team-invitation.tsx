import { UserGroupIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { isAuthError, type AnyAuthError, type CurrentUser, type TeamInvitationDetails } from 'rxauth'
import { useAction, useApp, useAuth, useStore } from 'rxauth/react'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/screen'
import { Problem } from '../ui/alert'
import { ActionButton, Button, ButtonLink } from '../ui/button'
import { useGo } from '../ui/navigation'
import { useQueryParameter } from '../ui/query-parameter'
import { tell } from '../ui/toasts'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'
import { DeadEnd, isUselessLink, useOnArrival, Waiting, wordsForLink } from './dead-end'
import { VerifyFirst } from './email-verification'

/**
 * The target of the mail's link, signed in or not. The invitation is checked before the page asks for anything, and
 * accepted when the user presses a button, because mail scanners open links too.
 */
export function TeamInvitationPage(): ReactNode {
  const { invitation: words, toTeams } = useWords().pages
  const auth = useAuth()
  const code = useQueryParameter('code')
  if (code === null) return <DeadEnd title={words.title} reason={words.incomplete} to="/handler/team" wayOn={toTeams} />
  switch (auth.status) {
    case 'unknown':
      return <NotKnownYet error={auth.error} />
    case 'signed-in':
      // The platform lets a restricted user neither see nor accept it.
      return auth.restriction ? (
        <VerifyFirst user={auth.user} />
      ) : (
        <Invitation key={auth.user.id} code={code} user={auth.user} />
      )
    // An anonymous user could not sign in to the team again.
    case 'anonymous':
    case 'signed-out':
      return <SignedOutInvitation code={code} />
  }
}

/** The team requires an account. Every sign-in method returns to this page. */
function SignedOutInvitation({ code }: { readonly code: string }): ReactNode {
  const words = useWords()
  const { invitation: texts } = words.pages
  const app = useApp()
  const { run: check, ...checked } = useAction(() => app.checkTeamInvitationCode({ code }))
  useOnArrival(() => void check())
  if (checked.status === 'failed')
    return isUseless(checked.error) ? (
      <DeadEnd title={texts.title} reason={uselessInvitation(checked.error, words)} wayOn={words.ui.signIn} />
    ) : (
      <TryAgain title={texts.title} of={checked} again={check} />
    )
  if (checked.status !== 'done') return <Waiting title={texts.title} />
  return (
    <AuthFrame title={texts.title} icon={<UserGroupIcon />} subtitle={texts.text} below={texts.whichAccount}>
      <div className="auth-stack snug">
        <ActionButton label={words.ui.signIn} run={() => app.redirectTo('signIn')} />
        <ActionButton label={words.ui.signUp} kind="plain" run={() => app.redirectTo('signUp')} />
      </div>
    </AuthFrame>
  )
}

interface Props {
  readonly code: string
  readonly user: CurrentUser
}

/** Shows a signed-in user the team of the invitation. */
function Invitation({ code, user }: Props): ReactNode {
  const { invitation: words } = useWords().pages
  const app = useApp()
  const { run: ask, ...details } = useAction(() => app.teamInvitationDetails({ code }))
  useOnArrival(() => void ask())
  if (details.status === 'done') return <Join code={code} user={user} team={details.value} />
  if (details.status !== 'failed') return <Waiting title={words.title} />
  return isUseless(details.error) ? (
    <Useless error={details.error} />
  ) : (
    <TryAgain title={words.title} of={details} again={ask} />
  )
}

interface JoinProps extends Props {
  readonly team: TeamInvitationDetails
}

/** Joins the team, and selects it. */
function Join({ code, user, team: { teamId, teamDisplayName } }: JoinProps): ReactNode {
  const app = useApp()
  const go = useGo()
  const { invitation: words } = useWords().pages
  const teams = useStore(app.teams$)
  const open = async () => {
    // A member who has another team selected finds this one in the switcher.
    await app.selectTeam({ teamId }).catch(() => undefined)
    go('/handler/team', { replace: true })
  }
  const join = useAction(async () => {
    const result = await app.acceptTeamInvitation({ code })
    if (!result.ok) return result
    tell(words.joined(teamDisplayName))
    await open()
    return result
  })
  if (join.status === 'failed' && isUseless(join.error)) return <Useless error={join.error} />
  const isMember = teams.status === 'ready' && teams.value.some(({ id }) => id === teamId) && join.status === 'idle'
  if (isMember)
    return (
      <AuthFrame title={teamDisplayName} subtitle={words.isMember}>
        <Button label={words.open} onClick={() => void open()} />
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={words.join(teamDisplayName)}
      icon={<UserGroupIcon />}
      subtitle={words.joinText(
        <b className="breakable">{teamDisplayName}</b>,
        <b className="breakable">{user.primaryEmail ?? user.displayName ?? user.id}</b>,
      )}
    >
      <Problem of={join} />
      <div className="auth-stack snug">
        <Button label={words.submit} does={join} />
        <ButtonLink label={words.notNow} kind="plain" to="/" />
        <UseAnotherAccount />
      </div>
    </AuthFrame>
  )
}

/** A link that this user cannot use, with the next thing to do. */
function Useless({ error }: { readonly error: AnyAuthError }): ReactNode {
  const words = useWords()
  const { title, emails } = words.pages.invitation
  const reason = uselessInvitation(error, words)
  return error.code === 'TEAM_INVITATION_EMAIL_MISMATCH' ? (
    <DeadEnd title={title} reason={reason} to="/handler/account-settings/emails" wayOn={emails}>
      <UseAnotherAccount />
    </DeadEnd>
  ) : (
    <DeadEnd title={title} reason={reason} to="/handler/team" wayOn={words.pages.toTeams} />
  )
}

/** Signs out, and returns to this page after the sign-in. */
function UseAnotherAccount(): ReactNode {
  const { invitation: words } = useWords().pages
  const app = useApp()
  const change = async () => {
    await app.signOut()
    await app.redirectTo('signIn')
  }
  return <ActionButton label={words.otherAccount} kind="quiet" run={change} />
}

/** Whether another try of this user with this link would fail the same way. */
function isUseless(error: AnyAuthError): boolean {
  return isUselessLink(error) || isAuthError(error, 'TEAM_NOT_FOUND', ...notForUser)
}

const notForUser = ['TEAM_INVITATION_EMAIL_MISMATCH', 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'] as const

/** Why a link cannot be used to join, and what to do. */
function uselessInvitation(error: AnyAuthError, words: Words): string {
  const { invitation: texts } = words.pages
  if (error.code === 'TEAM_NOT_FOUND') return texts.noTeam
  return error.code === 'INVALID_INPUT' ? texts.incomplete : wordsForLink(error, words, texts)
}
