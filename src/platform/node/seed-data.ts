import type { Where } from './arguments'
import { configPlaces, loadConfig, loadSeed, nameOf } from './config-file'
import { dataPlace, openData } from './data-place'
import { setProject } from './live-config'
import { projectFolder } from './project-folder'
import { readyMade } from './ready-made'
import { firstSeed, settingsOf } from './settings'
import type { Terminal } from './terminal'

/** What the commands besides `dev` share: the configuration, and where the data is. */
export async function placeOf(asked: Where, { folder }: Terminal) {
  const project = projectFolder(folder)
  const loaded = await loadConfig(configPlaces(folder, project, asked.config), folder, asked.config !== undefined)
  return { project, loaded, place: dataPlace(asked.data, loaded, { folder, project }) }
}

/** `rxauth seed`: the people and teams that are missing, into the data file. */
export async function seedData(asked: Where & { readonly seed?: string }, terminal: Terminal): Promise<number> {
  const { folder } = terminal
  const { loaded, place } = await placeOf(asked, terminal)
  if (place.kind === 'memory') throw new Error('data in memory cannot be seeded: name a file with --data')
  const { config } = loaded
  const given =
    asked.seed === undefined
      ? (config.seed ?? readyMade)
      : asked.seed === 'none'
        ? {}
        : await loadSeed(asked.seed, folder)
  const settings = settingsOf(noFlags, config, given)
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

/** What `rxauth dev` is when nothing is asked of it. */
const noFlags = {
  isStrict: false,
  opens: false,
  isJson: false,
  logs: false,
  allowedHosts: [],
  allowedOrigins: [],
  webhooks: [],
  command: [],
}

function count(howMany: number, one: string, many: string): string {
  return `${howMany} ${howMany === 1 ? one : many}`
}
