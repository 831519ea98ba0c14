import { assertKnownNames } from '../../errors/known-names'
import { newProjectConfig } from '../model/project-config'
import type { Seed } from './seed'

const settings = Object.keys(newProjectConfig).join(' ')

/**
 * Throws INVALID_INPUT for a name of a seed or of its project that does not exist, which would have no effect. Users and
 * teams may have more, because tests keep their own notes there.
 */
export function assertKnownSeed(seed: Seed | undefined): void {
  assertKnownNames(seed, 'project users teams permissions owners', 'seed.')
  assertKnownNames(seed?.project, 'id displayName logoUrl color config', 'seed.project.')
  assertKnownNames(seed?.project?.config, settings, 'seed.project.config.')
}
