import type { Where } from './arguments'
import { configPlaces, loadConfig, loadSeed, nameOf, projectFolder } from './config-file'
import { dataPlace, openData } from './data-place'
import { setProject } from './live-config'
import { readyMade } from './ready-made'
import { firstSeed, settingsOf } from './settings'
import type { Terminal } from './terminal'

/** The configuration and the place of the data, for the commands besides `dev`. */
export async function placeOf(asked: Where, { folder }: Terminal) {
  const project = projectFolder(folder)
  const loaded = await loadConfig(configPlaces(folder, project, asked.config), folder, asked.config !== undefined)
  return { project, loaded, place: dataPlace(asked.data, loaded, { folder, project }) }
}

/** `rxauth seed`: adds missing users and teams to the data file. */
export async function seedData(
  asked: Where & { readonly seed: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const { folder } = terminal
  const { loaded, place } = await placeOf(asked, terminal)
  if (place.kind === 'memory') throw new Error('data in memory cannot be seeded: name a file with --data')
  const { config } = loaded
  const given = (await loadSeed(asked.seed, folder)) ?? config.seed ?? readyMade
  const settings = settingsOf({}, config, given)
  const { wire, compatibility } = settings
  const { platform } = await openData(place, { wire, compatibility, seed: firstSeed(config, compatibility, given) })
  try {
    await setProject(platform, config, settings)
  } finally {
    platform.dispose()
  }
  const { users = [], teams = [], owners = [] } = given
  const counts = [
    count(users.length, 'person', 'people'),
    count(teams.length, 'team', 'teams'),
    count(owners.length, 'owner', 'owners'),
  ]
  terminal.out(`${nameOf(place.path, folder)} has ${counts.join(', ')} of the seed.\n`)
  return 0
}

function count(howMany: number, one: string, many: string): string {
  return `${howMany} ${howMany === 1 ? one : many}`
}
