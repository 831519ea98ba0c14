import { defaultPort, defaultWire } from '../platform-inside'
import type { ConfiguredSeed, RxauthConfig } from '../platform-node'
import type { Seed } from '../platform'
import type { AskedOf } from './arguments'
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
export function projectSeed({ project = {} }: RxauthConfig): NonNullable<Seed['project']> {
  return project as NonNullable<Seed['project']>
}
