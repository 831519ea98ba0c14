import { invalidInput, assertKnownNames } from '../../errors/auth-error'
import { entryId, segment } from '../../entities/config/shape'
import { newProjectConfig } from '../model/projects'
import { firstRepeated } from '../model/sign-up-rules'
import type { Seed, SeedUser } from './seed'
import { internalProjectId } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { normalizeEmail } from '../model/users'
import type { Tables } from '../model/tables'

const settings = Object.keys(newProjectConfig).join(' ')

/**
 * Throws INVALID_INPUT for an unknown name in a seed or its project, which would have no effect. Throws it also for an id that
 * no path of the configuration can have. Users and teams may have more names, because tests keep their own notes there.
 */
export function assertKnownSeed(seed: Seed | undefined): void {
  assertKnownNames(seed, 'project users teams permissions owners', 'seed.')
  assertKnownNames(seed?.project, 'id displayName logoUrl color config', 'seed.project.')
  assertKnownNames(seed?.project?.config, settings, 'seed.project.config.')
  const { signUpRules = [], oauthProviders = [] } = seed?.project?.config ?? {}
  assertIds(signUpRules, entryId, 'seed.project.config.signUpRules', 'must have letters, digits, _ and - only')
  assertIds(oauthProviders, entryId, 'seed.project.config.oauthProviders', 'must have letters, digits, _ and - only')
  assertIds(seed?.permissions ?? [], segment, 'seed.permissions', 'must have no dots')
  const repeated = firstRepeated(signUpRules)
  if (repeated !== undefined)
    throw invalidInput('seed.project.config.signUpRules', `must have different ids; two are "${repeated}"`)
}

function assertIds(list: readonly { readonly id?: string }[], form: RegExp, path: string, wanted: string): void {
  for (const [index, { id }] of list.entries())
    if (id !== undefined && !form.test(id)) throw invalidInput(`${path}[${index}].id`, `${wanted}; it is "${id}"`)
}

/** How to plant a seed. */
export interface PlantOptions {
  /**
   * Skips users, owners and teams that exist already, with everything that belongs to them. They exist if one has the
   * same id, or else the same e-mail address, or else the same display name.
   */
  readonly onlyMissing?: boolean
}

/** The part of the seed that the engine's project does not have yet. */
export function missingFrom({ tables, database }: Engine, seed: Seed): Seed {
  const { users = [], teams = [], owners = [] } = seed
  return {
    ...seed,
    users: users.filter(user => lacksUser(tables, user)),
    teams: teams.filter(({ id, displayName }) =>
      id !== undefined
        ? !tables.teams.get(id)
        : tables.teams.filter(team => team.displayName === displayName).length === 0,
    ),
    owners: owners.filter(owner => lacksUser(database.of(internalProjectId), owner)),
  }
}

function lacksUser({ users, contactChannels }: Tables, { id, email, displayName }: SeedUser): boolean {
  if (id !== undefined) return !users.get(id)
  if (email !== undefined) return !contactChannels.first('value', normalizeEmail(email))
  return users.filter(user => user.displayName === (displayName ?? null)).length === 0
}
