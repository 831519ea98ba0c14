import * as v from 'valibot'
import { clientStore, clientWrite, withFields, type Shape } from '../declare'
import { publicSettings } from './shape'

const project = v.object({
  id: v.string(),
  displayName: v.string(),
  config: v.object(withFields(publicSettings, { enabledOauthProviders: v.array(v.object({ id: v.string() })) })),
})

/** The public part of the project: its name, and what it allows its users to do. */
export interface Project extends v.InferOutput<typeof project> {}
export const Project: Shape<Project> = project

/**
 * The project of this kit. It belongs to no session: it is the same signed in and out.
 *
 * @example
 * app.project$.subscribe(({ displayName, config }) => console.log(displayName, config.signUpEnabled))
 */
export const project$ = clientStore('GET /projects/current', { returns: Project, ownedBy: 'app' })

/**
 * The platform's statement on a feature: an English text for developers. All releases known today answer that they do not
 * support it.
 *
 * @example
 * console.log(await app.checkFeatureSupport({ featureName: 'teleport' }))
 */
export const checkFeatureSupport = clientWrite('POST /check-feature-support', {
  body: { featureName: v.optional(v.string()) },
  returns: v.string(),
  ownedBy: 'app',
  refreshes: () => [],
})
