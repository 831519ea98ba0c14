import * as v from 'valibot'
import { items } from '../core/wire'
import type { Shape } from '../core/wire'
import { AuthError } from '../errors/auth-error'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { mutation, patch } from '../store/mutation'
import { query } from '../store/query'
import { endpoint, withFields } from '../transport/endpoint'
import { adminProjectChanges, adminProjectFields } from './admin-project-fields'

const ownedProject = v.object(adminProjectFields)

/** A project as its owners read it, secrets included: of providers' keys and of the mail server. */
export interface OwnedProject extends v.InferOutput<typeof ownedProject> {}
export const OwnedProject: Shape<OwnedProject> = ownedProject

/**
 * The projects that the signed-in user owns, oldest first. Owners are users of the project `internal`; a kit of any other
 * project gets EXPECTED_INTERNAL_PROJECT.
 */
export const ownedProjects$ = query(
  endpoint('GET /internal/projects', { access: 'client', returns: items(OwnedProject) }),
  { signedOut: [] },
)

/**
 * Creates a project that the signed-in user owns; what `config` leaves out is as in every new project. It has no keys yet.
 *
 * Throws EXPECTED_INTERNAL_PROJECT, before a request, for a kit of another project than `internal`.
 */
export const createOwnedProject = mutation(
  endpoint('POST /internal/projects', {
    access: 'client',
    body: withFields(adminProjectChanges, { displayName: v.string() }),
    returns: OwnedProject,
  }),
  {
    prepare: onInternal,
    refreshes: () => [ownedProjects$],
    writes: (_, project) => [patch(ownedProjects$, {}, all => [...all, project])],
  },
)

function onInternal<I>(kit: Kit, input: I): I {
  const { projectId } = coreOf(kit).transport.config
  if (projectId === 'internal') return input
  throw new AuthError(
    'EXPECTED_INTERNAL_PROJECT',
    `projects are owned by users of the project "internal", and this kit is one of the project "${projectId}"`,
  )
}
