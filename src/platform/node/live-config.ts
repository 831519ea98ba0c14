import type { Platform } from '../platform'
import { newProjectConfig } from '../project-config'
import type { ProjectConfig } from '../project-config'
import type { ConfiguredWebhook, RxauthConfig } from './config'
import { everythingOn } from './ready-made'
import { projectSeed } from './settings'
import type { Settings } from './settings'

/** Settings that are read when the platform starts. */
const readAtStart = [
  'port',
  'host',
  'data',
  'wire',
  'compatibility',
  'rotation',
  'allowedHosts',
  'allowedOrigins',
  'open',
] as const

/** The webhook addresses of a platform, as the settings have them. */
export class LiveWebhooks {
  readonly #platform: Platform
  readonly #remove = new Map<string, () => void>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Adds what is new and removes what is no more. */
  set(webhooks: readonly ConfiguredWebhook[]): void {
    const wanted = new Map(webhooks.map(hook => [JSON.stringify(hook), hook]))
    for (const [key, remove] of this.#remove)
      if (!wanted.has(key)) {
        remove()
        this.#remove.delete(key)
      }
    for (const [key, { url, secret }] of wanted)
      if (!this.#remove.has(key))
        this.#remove.set(key, this.#platform.webhooks.add({ url, ...(secret !== undefined && { secret }) }))
  }
}

/** What a start does with settings of the project that were there before it: what the configuration says holds. */
export function setProject(platform: Platform, config: RxauthConfig, { seed }: Settings): Promise<void> {
  const project = projectSeed(config)
  return platform.seed({ project, permissions: config.permissions ?? [], ...seed }, { onlyMissing: true })
}

/** Applies what has changed from one configuration to the next; resolves to what has to be said of it, line by line. */
export async function applyConfig(
  platform: Platform,
  before: RxauthConfig,
  after: RxauthConfig,
  settings: Settings,
): Promise<string[]> {
  const from = projectSeed(before)
  const to = projectSeed(after)
  const defaults: ProjectConfig = { ...newProjectConfig, ...everythingOn(settings.compatibility) }
  // What is no longer said is as if it had never been.
  const dropped = Object.keys(from.config ?? {}).filter(key => !(key in (to.config ?? {})))
  const restored = Object.fromEntries(dropped.map(key => [key, defaults[key as keyof ProjectConfig]]))
  await platform.seed(
    {
      project: {
        displayName: to.displayName ?? (from.displayName === undefined ? undefined : 'Local project'),
        logoUrl: to.logoUrl ?? (from.logoUrl === undefined ? undefined : null),
        color: to.color ?? (from.color === undefined ? undefined : null),
        config: { ...restored, ...to.config },
      } as typeof to,
      permissions: after.permissions ?? [],
      ...settings.seed,
    },
    { onlyMissing: true },
  )
  return [...stays(before, after), ...waits(before, after)]
}

/** What is no longer in the configuration and cannot be taken back without deleting what has come of it. */
function stays(before: RxauthConfig, after: RxauthConfig): string[] {
  const kept = new Set(after.permissions?.map(({ id }) => id))
  return (before.permissions ?? [])
    .filter(({ id }) => !kept.has(id))
    .map(({ id }) => `the permission "${id}" stays until it is deleted in the console, or by rxauth reset`)
}

function waits(before: RxauthConfig, after: RxauthConfig): string[] {
  return readAtStart
    .filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map(name => `${name} takes effect at the next start`)
}
