import { internalProjectId } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { normalizeEmail } from '../model/normalize-email'
import type { Seed, SeedTeam, SeedUser } from './seed'
import type { Tables } from '../model/tables'

/**
 * How to plant a seed.
 *
 * @example
 * const again: PlantOptions = { onlyMissing: true }
 */
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
    teams: teams.filter(team => lacksTeam(tables, team)),
    owners: owners.filter(owner => lacksUser(database.of(internalProjectId), owner)),
  }
}

function lacksUser({ users, contactChannels }: Tables, { id, email, displayName }: SeedUser): boolean {
  if (id !== undefined) return !users.get(id)
  if (email !== undefined) return !contactChannels.first('value', normalizeEmail(email))
  return users.filter(user => user.displayName === (displayName ?? null)).length === 0
}

function lacksTeam({ teams }: Tables, { id, displayName }: SeedTeam): boolean {
  if (id !== undefined) return !teams.get(id)
  return teams.filter(team => team.displayName === displayName).length === 0
}
