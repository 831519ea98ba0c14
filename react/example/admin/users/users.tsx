import type { ReactNode } from 'react'
import { UserList } from './user-list'
import { UserPage } from './user-page'

/** The users of the project, or one of them. */
export function Users({ item }: { readonly item: string | undefined }): ReactNode {
  return item === undefined ? <UserList /> : <UserPage key={item} userId={item} />
}
