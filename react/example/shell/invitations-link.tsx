import { UserPlusIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp, useStore, useUser } from 'rxauth/react'
import { Link } from '../ui/navigation'
import { StatusBadge } from '../ui/status-badge'
import { useWords } from '../words/use-words'

/** The number of open invitations to the user; nothing if there are none, or the platform cannot list them. */
export function InvitationsLink(): ReactNode {
  const { shell: words } = useWords()
  const app = useApp()
  const user = useUser()
  // A release that lists them also says whether the user is restricted. An older one would refuse the request.
  const invitations = useStore(user?.isRestricted === undefined ? null : app.ownTeamInvitations$)
  const count = invitations.status === 'ready' ? invitations.value.length : 0
  if (count === 0) return null
  return (
    <Link href="/invitations" className="bar-link" aria-label={words.invitations(count)}>
      <UserPlusIcon width={18} />
      <StatusBadge kind="info" aria-hidden="true">
        {count}
      </StatusBadge>
    </Link>
  )
}
