import { developerError, misuse } from '../../errors/auth-error'
import * as v from 'valibot'
import { clientStore, clientWrite, coreOf, items, lacking, lenient, newer, patch, withFields } from '../declare'
import type { Kit, Shape } from '../declare'
import { claimsIn } from '../../transport/access-token'
import { adminProjectChanges, adminProjectFields, completeProjectConfig, type ProjectConfigChanges } from './shape'
import { teams$ } from '../teams/client'

/** Throws EXPECTED_INTERNAL_PROJECT for a kit of another project. */
export function assertInternal(kit: Kit): void {
  const { projectId } = coreOf(kit).transport.config
  if (projectId === 'internal') return
  throw developerError(
    'EXPECTED_INTERNAL_PROJECT',
    `projects are owned by users of the project "internal", and this kit is for the project "${projectId}"`,
    { what: 'another project' },
  )
}

const ownedProject = v.object(adminProjectFields)

/** A project as its owners read it, including the secrets of providers and of the mail server. */
export interface OwnedProject extends v.InferOutput<typeof ownedProject> {}
export const OwnedProject: Shape<OwnedProject> = ownedProject

/**
 * The projects that the signed-in user owns, in no order: sort them by `createdAt` or name. Owners are users of the project `internal`; a kit of any other
 * project gets EXPECTED_INTERNAL_PROJECT.
 *
 * @example
 * ownedProjects$(app).subscribe(projects => console.log(projects.map(({ displayName }) => displayName)))
 */
export const ownedProjects$ = clientStore('GET /internal/projects', {
  returns: lenient(items(OwnedProject)),
  signedOut: [],
  // A team owns a project on newer releases, and its members see it.
  partOf: 'teams',
})

/**
 * Creates a project of the signed-in user; fields that `config` leaves out get their defaults. It has no keys yet.
 *
 * On newer releases a team of the user owns the project: `ownerTeamId`, by default the selected team, else the user's only
 * one. Older ones have no such teams, and no logos and onboarding either: with one of these fields the call throws
 * NOT_ON_THIS_PLATFORM there.
 *
 * Throws, before a request, EXPECTED_INTERNAL_PROJECT for a kit of another project than `internal`, and INVALID_INPUT if a
 * team is needed but not determined, for a provider or a mail server of type 'standard' without one of its fields, for a
 * `senderEmail` that is no e-mail address, and for a domain that is no URL.
 *
 * @example
 * const project = await createOwnedProject(app, { displayName: 'My app', config: { magicLinkEnabled: true } })
 */
export const createOwnedProject = clientWrite('POST /internal/projects', {
  body: withFields(adminProjectChanges, {
    displayName: v.string(),
    ownerTeamId: newer(v.optional(v.string())),
  }),
  returns: OwnedProject,
  notOnPlatform: lacking(),
  prepare: complete,
  refreshes: () => [ownedProjects$],
  writes: (_, project) => [patch(ownedProjects$, {}, all => [...all, project])],
})

interface NewProject {
  readonly ownerTeamId?: string | undefined
  readonly config?: ProjectConfigChanges | undefined
}

/** Tokens of newer releases name the selected team. */
async function complete<I extends NewProject>(kit: Kit, given: I): Promise<I> {
  assertInternal(kit)
  const { session } = coreOf(kit)
  const input = { ...given, ...(given.config && { config: completeProjectConfig(given.config) }) }
  if (input.ownerTeamId !== undefined) return input
  const claims = claimsIn((await session.current())?.accessToken ?? '')
  if (!claims || !('selected_team_id' in claims)) return input
  const { selected_team_id: selected } = claims
  if (typeof selected === 'string') return { ...input, ownerTeamId: selected }
  const [only, ...others] = await teams$(kit).get()
  if (!only || others.length > 0)
    throw misuse(
      'ownerTeamId',
      `is missing: on this platform a team owns a project, and the user has ${only ? 'selected none of several' : 'none'}`,
      'is missing',
    )
  return { ...input, ownerTeamId: only.id }
}

/** A project, and the team that gets it. */
export interface OwnedProjectTransfer {
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
export const transferOwnedProject = clientWrite('POST /internal/projects/transfer', {
  body: { projectId: v.string(), newTeamId: v.string() },
  notOnPlatform: lacking(404),
  prepare(kit: Kit, input: OwnedProjectTransfer) {
    assertInternal(kit)
    return input
  },
  refreshes: () => [ownedProjects$],
})
