import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { Day } from '../../ui/instant'
import { TextLink } from '../../ui/button'
import { Picture } from '../../ui/picture'
import { Row } from '../../ui/rows'
import { StatusBadge } from '../../ui/section'
import { useProject } from '../project/project-context'

interface Props {
  readonly user: ServerUser
  /** The end of the row; by default the date of the sign-up. */
  readonly action?: ReactNode
}

/** One user in a list, with a link to the user's page. */
export function UserRow({ user, action }: Props): ReactNode {
  const { base } = useProject()
  const name = nameOf(user)
  return (
    <Row
      icon={<Picture name={name} url={user.profileImageUrl} size={36} />}
      title={<TextLink to={`${base}/users/${user.id}`}>{name}</TextLink>}
      detail={user.primaryEmail === name ? 'No name' : (user.primaryEmail ?? 'No e-mail address')}
      action={
        action ?? (
          <div className="auth-row oneline fixed">
            {user.isAnonymous && <StatusBadge>Guest</StatusBadge>}
            {user.restrictedByAdmin && <StatusBadge kind="warning">Restricted</StatusBadge>}
            <p className="fine dim only-wide">
              Since <Day at={user.signedUpAt} />
            </p>
          </div>
        )
      }
    />
  )
}

/** The props of a part of a user's page. */
export interface OfUser {
  readonly userId: string
  readonly name: string
}

type NamedUser = Pick<ServerUser, 'id' | 'displayName' | 'primaryEmail' | 'isAnonymous'>

/** A label for a user who may have no name and no address. */
export function nameOf({ id, displayName, primaryEmail, isAnonymous }: NamedUser): string {
  return displayName ?? primaryEmail ?? (isAnonymous ? `Guest ${id.slice(0, 8)}` : `User ${id.slice(0, 8)}`)
}
