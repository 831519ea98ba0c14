import { defaultPort, defaultWire } from '../platform-inside'
import type { ConfiguredSeed, RxauthConfig } from '../platform-node'
import type { Seed, ProjectConfig, SeedUser } from '../platform'
import type { AskedOf } from './arguments'
import { base32 } from '../core/totp'

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

const password = 'correct horse battery'

/** Base64; authenticator apps take it as base32. */
const totpSecret = 'bG9jYWwgc2Vjb25kIGZhY3Rvcg=='

/** The default users, team and owner of `rxauth dev`. */
export const readyMade = {
  users: [
    { email: 'ada@example.com', displayName: 'Ada Lovelace', password, verified: true },
    { email: 'grace@example.com', displayName: 'Grace Hopper', password, verified: true },
    { email: 'alan@example.com', displayName: 'Alan Turing', password, verified: true, totpSecret },
  ],
  teams: [
    {
      displayName: 'Analytical Engines',
      members: [
        { email: 'ada@example.com', permissions: ['team_admin'] },
        { email: 'grace@example.com' },
        { email: 'alan@example.com' },
      ],
    },
  ],
  owners: [{ email: 'owner@example.com', displayName: 'Olivia Owner', password, verified: true }],
} as const satisfies Seed

/** Switches on every sign-in method, and everything that users and teams may own. A second factor needs no setting. */
export function everythingOn(compatibility: 'local' | 'strict'): Partial<ProjectConfig> {
  return {
    magicLinkEnabled: true,
    passkeyEnabled: true,
    clientTeamCreationEnabled: true,
    clientUserDeletionEnabled: true,
    allowUserApiKeys: true,
    allowTeamApiKeys: true,
    oauthProviders: [
      { id: 'github', type: 'shared' },
      { id: 'google', type: 'shared' },
      { id: 'microsoft', type: 'shared' },
    ],
    // The hosted platform's reference release has no anonymous users.
    ...(compatibility === 'local' && { anonymousSignUpEnabled: true }),
  }
}

/** A seeded user's second factor secret in base32, for authenticator apps; null if the user has none. */
export function authenticatorSecret({ totpSecret: secret }: SeedUser): string | null {
  return secret === undefined ? null : base32(Buffer.from(secret, 'base64'))
}
