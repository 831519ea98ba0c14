import type { ReactNode } from 'react'
import { TeamList } from './team-list'
import { TeamPage } from './team-page'

/** The teams of the project, or one of them. */
export function Teams({ item }: { readonly item: string | undefined }): ReactNode {
  return item === undefined ? <TeamList /> : <TeamPage key={item} teamId={item} />
}
