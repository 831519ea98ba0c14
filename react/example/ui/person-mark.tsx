import { Avatar } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly name: string
  readonly url: string | null
  readonly size: number
}

/** The picture of a user, or the initials. The name is shown beside it. */
export function PersonMark({ name, url, size }: Props): ReactNode {
  return (
    <span aria-hidden="true">
      <Avatar src={url} name={name} color="brand" variant="filled" size={size} alt="" />
    </span>
  )
}
