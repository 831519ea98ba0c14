import { createContext, useContext } from 'react'
import type { AdminApp } from 'rxauth/admin'

export interface OpenProject {
  readonly id: string
  /** The kit that runs it, with the rights of the signed-in user. */
  readonly app: AdminApp
  /** Where the addresses of its pages begin. */
  readonly base: string
}

export const ProjectContext = createContext<OpenProject | null>(null)

/** The project whose page this is. */
export function useProject(): OpenProject {
  const project = useContext(ProjectContext)
  if (project) return project
  throw new Error('this component stands on no page of a project')
}
