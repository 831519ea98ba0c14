import { Avatar } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Team } from 'rxauth'

interface Props {
  readonly team: Pick<Team, 'displayName' | 'profileImageUrl'>
  readonly size: number
}

/** The picture of a team, or its initials; square, unlike those of users. The name is shown beside it. */
export function TeamMark({ team, size }: Props): ReactNode {
  return (
    <span aria-hidden="true">
      <Avatar
        src={team.profileImageUrl}
        name={team.displayName}
        color="brand"
        variant="light"
        size={size}
        radius="sm"
        alt=""
      />
    </span>
  )
}
