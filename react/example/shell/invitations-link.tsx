import { UserPlusIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp, useAuth, useStore } from 'rxauth/react'
import { Link } from '../ui/navigation'
import { StatusBadge } from '../ui/section'
import { useWords } from '../words/use-words'

/** The number of open invitations to the user; nothing if there are none, or the platform cannot list them. */
export function InvitationsLink(): ReactNode {
  const { shell: words } = useWords()
  const app = useApp()
  const auth = useAuth()
  // A release that lists them also says whether the user is restricted. An older one would refuse the request.
  const isListed = auth.status === 'signed-in' && auth.user.isRestricted !== undefined
  const invitations = useStore(isListed ? app.ownTeamInvitations$ : null)
  const count = invitations.status === 'ready' ? invitations.value.length : 0
  if (count === 0) return null
  return (
    <div className="auth contents">
      <Link href="/handler/invitations" className="bar-link" aria-label={words.invitations(count)}>
        <UserPlusIcon width={18} />
        <StatusBadge kind="info" aria-hidden="true">
          {count}
        </StatusBadge>
      </Link>
    </div>
  )
}
