import { UserGroupIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth } from 'rxauth/react'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/screen'
import { ActionButton } from '../ui/button'
import { useQueryParameter } from '../ui/query-parameter'
import { DeadEnd, useOnArrival, Waiting } from './dead-end'
import { Invitation, isUseless, uselessInvitation } from './invitation'
import { VerifyFirst } from './email-verification'
import { useWords } from '../words/use-words'

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
  useOnArrival(() => void check().catch(() => undefined))
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
