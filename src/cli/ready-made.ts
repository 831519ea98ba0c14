import { base32 } from '../core/totp'
import type { ProjectConfig, Seed, SeedUser } from '../platform'

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
