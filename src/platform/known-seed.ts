import { assertKnownNames } from '../errors/known-names'
import { newProjectConfig } from './project-config'
import type { Seed } from './seed'

const settings = Object.keys(newProjectConfig).join(' ')
const ofUsers = 'id email password displayName verified totpSecret restricted sessions'

/** Throws INVALID_INPUT for a name in a seed that does not exist, which would be left out without a word. */
export function assertKnownSeed(seed: Seed | undefined): void {
  const { project, users, teams, permissions, owners } = seed ?? {}
  assertKnownNames(seed, 'project users teams permissions owners', 'seed.')
  assertKnownNames(project, 'id displayName logoUrl color config', 'seed.project.')
  assertKnownNames(project?.config, settings, 'seed.project.config.')
  each(users, `${ofUsers} serverMetadata`, 'users')
  each(owners, ofUsers, 'owners')
  each(permissions, 'id scope contains description', 'permissions')
  each(teams, 'id displayName members', 'teams')
  teams?.forEach(({ members }, index) => each(members, 'email permissions', `teams[${index}].members`))
}

function each(items: readonly object[] | undefined, names: string, path: string): void {
  items?.forEach((item, index) => assertKnownNames(item, names, `seed.${path}[${index}].`))
}
