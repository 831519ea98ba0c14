import { createContext, useContext } from 'react'
import type { AdminApp } from 'rxauth/admin'

export interface OpenProject {
  readonly id: string
  /** The project's kit, with the rights of the signed-in user. */
  readonly app: AdminApp
  /** The start of the addresses of its pages. */
  readonly base: string
}

export const ProjectContext = createContext<OpenProject | null>(null)

/** The project of this page. */
export function useProject(): OpenProject {
  const project = useContext(ProjectContext)
  if (project) return project
  throw new Error('this component stands on no page of a project')
}
