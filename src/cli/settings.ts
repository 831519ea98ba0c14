import { saidBy } from '../errors/auth-error'
import type { Platform, ProjectConfig, Seed } from '../platform'
import { defaultPort, defaultWire, newProjectConfig } from '../platform-inside'
import type { ConfiguredSeed, ConfiguredWebhook, RxauthConfig } from '../platform-node'
import type { AskedOf } from './arguments'
import type { LoadedConfig } from './config-file'
import { everythingOn, readyMade } from './ready-made'

/** The effective settings: a flag overrides its setting, lists are joined. */
export type DevSettings = ReturnType<typeof settingsOf>

export function settingsOf(flags: Partial<AskedOf<'dev'>>, config: RxauthConfig, seed: ConfiguredSeed | null) {
  const { rotation = false } = config
  return {
    port: flags.port ?? config.port ?? defaultPort,
    host: flags.host ?? config.host ?? '127.0.0.1',
    wire: flags.wire ?? config.wire ?? defaultWire,
    compatibility: flags.isStrict ? ('strict' as const) : (config.compatibility ?? 'local'),
    rotation:
      typeof rotation === 'boolean' ? rotation : ({ ...(rotation.graceMillis !== undefined && rotation) } as object),
    allowedHosts: [...(flags.allowedHosts ?? []), ...(config.allowedHosts ?? [])],
    allowedOrigins: [...(flags.allowedOrigins ?? []), ...(config.allowedOrigins ?? [])],
    webhooks: [...(flags.webhooks ?? []), ...(config.webhooks ?? [])].map(hook =>
      typeof hook === 'string' ? { url: hook } : hook,
    ),
    opens: flags.opens === true || config.open === true,
    logs: flags.logs === true || config.log === true,
    /** The users and teams that were configured; null: none were, so the ready-made ones apply. */
    seed: seed ?? config.seed ?? null,
  }
}

/** The initial seed of new data. */
export function firstSeed(config: RxauthConfig, compatibility: 'local' | 'strict', seed: ConfiguredSeed | null): Seed {
  const { config: settings, ...project } = projectSeed(config)
  return {
    project: { ...project, config: { ...everythingOn(compatibility), ...settings } },
    permissions: config.permissions ?? [],
    ...(seed ?? readyMade),
  }
}

/** The project's part of the seed. Checked configurations have no undefined settings. */
function projectSeed({ project = {} }: RxauthConfig): NonNullable<Seed['project']> {
  return project as NonNullable<Seed['project']>
}

interface ConfigReader {
  load(): Promise<LoadedConfig>
  /** Applies the change and resolves to notes on it. */
  apply(before: RxauthConfig, after: RxauthConfig): Promise<string[]>
  say(text: string): void
}

/** Applies the configuration whenever its file has changed, one change after the other. */
export class WatchedConfig {
  readonly #reader: ConfigReader
  #current: LoadedConfig
  #work: Promise<void> = Promise.resolve()

  constructor(loaded: LoadedConfig, reader: ConfigReader) {
    this.#current = loaded
    this.#reader = reader
  }

  reload(): void {
    this.#work = this.#work.then(() => this.#reload())
  }

  async #reload(): Promise<void> {
    const reader = this.#reader
    try {
      const next = await reader.load()
      const notes = await reader.apply(this.#current.config, next.config)
      this.#current = next
      reader.say(['the configuration has changed and was applied', ...notes].join('; '))
    } catch (error) {
      reader.say(`${saidBy(error)}\nThe previous configuration stays in effect.`)
    }
  }
}

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

/** The platform's webhook addresses, kept equal to the settings. */
export class LiveWebhooks {
  readonly #platform: Platform
  readonly #remove = new Map<string, () => void>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Adds new addresses and removes missing ones. */
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

/** Applies the configuration's project settings to existing data at the start. */
export function setProject(platform: Platform, config: RxauthConfig, { seed }: DevSettings): Promise<void> {
  const project = projectSeed(config)
  return platform.seed({ project, permissions: config.permissions ?? [], ...seed }, { onlyMissing: true })
}

/** Applies the differences between two configurations; resolves to notes for the terminal. */
export async function applyConfig(
  platform: Platform,
  before: RxauthConfig,
  after: RxauthConfig,
  settings: DevSettings,
): Promise<string[]> {
  const from = projectSeed(before)
  const to = projectSeed(after)
  const defaults: ProjectConfig = { ...newProjectConfig, ...everythingOn(settings.compatibility) }
  // A removed setting returns to its default.
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
  const waiting = readAtStart.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return [...stays(before, after), ...waiting.map(name => `${name} takes effect at the next start`)]
}

/** Notes on removed entries whose rows stay, since removing them would delete other data. */
function stays(before: RxauthConfig, after: RxauthConfig): string[] {
  const kept = new Set(after.permissions?.map(({ id }) => id))
  return (before.permissions ?? [])
    .filter(({ id }) => !kept.has(id))
    .map(({ id }) => `the permission "${id}" stays until it is deleted in the console, or by rxauth reset`)
}
