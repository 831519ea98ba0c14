import { createContext, useContext } from 'react'
import type { OwnedProject } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'

export interface OpenProject {
  readonly id: string
  /** The project's kit, with the rights of the signed-in user. */
  readonly app: AdminApp
  /** The start of the addresses of its pages. */
  readonly base: string
  /** The project itself, as it is now. */
  readonly project: OwnedProject
}

export const ProjectContext = createContext<OpenProject | null>(null)

/** The project of this page. */
export function useProject(): OpenProject {
  const project = useContext(ProjectContext)
  if (project) return project
  throw new Error('this component stands on no page of a project')
}
