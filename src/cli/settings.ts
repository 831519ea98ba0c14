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
  readonly load: () => Promise<LoadedConfig>
  /** Applies the change and resolves to notes on it. */
  readonly apply: (before: RxauthConfig, after: RxauthConfig) => Promise<string[]>
  readonly say: (text: string) => void
}

/** The function that applies the configuration after its file has changed, one change after the other. */
export function reloading(loaded: LoadedConfig, { load, apply, say }: ConfigReader): () => void {
  let current = loaded
  let work = Promise.resolve()
  const reload = async () => {
    try {
      const next = await load()
      const notes = await apply(current.config, next.config)
      current = next
      say(['the configuration has changed and was applied', ...notes].join('; '))
    } catch (error) {
      say(`${saidBy(error)}\nThe previous configuration stays in effect.`)
    }
  }
  return () => void (work = work.then(reload))
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

/** The function that makes the webhook addresses of the platform those of the settings. */
export function webhooksOf({ webhooks }: Platform): (wanted: readonly ConfiguredWebhook[]) => void {
  const removers = new Map<string, () => void>()
  return hooks => {
    const wanted = new Map(hooks.map(hook => [JSON.stringify(hook), hook]))
    for (const [key, remove] of removers)
      if (!wanted.has(key)) {
        remove()
        removers.delete(key)
      }
    for (const [key, { url, secret }] of wanted)
      if (!removers.has(key)) removers.set(key, webhooks.add({ url, ...(secret !== undefined && { secret }) }))
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
