import * as v from 'valibot'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { endpoint } from '../../transport/endpoint'
import { lacking } from '../../transport/lacking'
import { assertInternal } from './client-internal-project'
import { ownedProjects$ } from './client-owned-projects'

interface Transfer {
  readonly projectId: string
  /** A team of the signed-in user in the project `internal`. */
  readonly newTeamId: string
}

/**
 * Gives a project of the signed-in user to another team: its members own it from then on, and those of the former team do not.
 *
 * Throws EXPECTED_INTERNAL_PROJECT, before a request, for a kit of another project than `internal`, PROJECT_NOT_FOUND for an unknown
 * project, TEAM_MEMBERSHIP_NOT_FOUND for a user who is not a member of both teams, and TEAM_PERMISSION_REQUIRED
 * for a member who is no `team_admin` of the owning team. Throws NOT_ON_THIS_PLATFORM on release 2.8.18, where no team owns a
 * project.
 *
 * @example
 * await transferOwnedProject(app, { projectId: 'project-1', newTeamId: 'team-2' })
 */
export const transferOwnedProject = mutation(
  endpoint('POST /internal/projects/transfer', {
    access: 'client',
    body: { projectId: v.string(), newTeamId: v.string() },
    notOnPlatform: lacking(404),
  }),
  {
    prepare(kit: Kit, input: Transfer) {
      assertInternal(kit)
      return input
    },
    refreshes: () => [ownedProjects$],
  },
)
