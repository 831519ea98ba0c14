import { createPlatform, type Seed, type SignUpRule } from 'rxauth/platform'
import { ada, signInAda, team, wireWorld } from '../wire-world'

const rules = (...signUpRules: SignUpRule[]): Seed => ({ project: { config: { signUpRules } } })

describe('seeding', () => {
  it('is done before the first request is answered', async () => {
    expect((await signInAda(wireWorld())).access_token).toMatch(/^ey/)
  })

  it.each([
    ['an address twice', { users: [ada, { email: 'ADA@example.com' }] }, 'exists already'],
    [
      'a member who is not there',
      { teams: [{ ...team, members: [{ email: 'x@example.com' }] }] },
      'no user with the e-mail address "x@example.com"',
    ],
    ['a password without an address', { users: [{ password: 'x' }] }, 'needs an e-mail address'],
    [
      'a secret that no code can be made of',
      { users: [{ email: 'x@example.com', totpSecret: 'no-base64' }] },
      'the totpSecret of the seeded user "x@example.com" must be base64',
    ],
    ['another project id', { project: { id: 'x' } }, 'already has the id'],
  ])('refuses %s with a clear message', async (_, seed, message) => {
    await expect(wireWorld({ seed: {} }).platform.seed(seed)).rejects.toThrow(message)
  })

  it('takes a secret without padding, which a sign-in can read', async () => {
    const seed = { users: [{ email: 'x@example.com', totpSecret: 'JBSWY3DPEHPK3PXQBw' }] }
    await expect(wireWorld({ seed: {} }).platform.seed(seed)).resolves.toBeUndefined()
  })

  it.each<[where: string, seed: Seed]>([
    ['signUpRules[0].id', rules({ id: 'no.spam', action: 'reject' })],
    ['signUpRules[0].id', rules({ id: '__proto__', action: 'reject' })],
    ['signUpRules[0].id', rules({ id: 'no spam', action: 'reject' })],
    ['signUpRules must have different ids', rules({ id: 'x', action: 'reject' }, { id: 'x', action: 'log' })],
    ['oauthProviders[0].id', { project: { config: { oauthProviders: [{ id: 'my.okta', type: 'shared' }] } } }],
    ['permissions[0].id', { permissions: [{ id: 'sell.all', scope: 'team' }] }],
  ])('refuses an id that no path of the configuration can have: %s', async (where, seed) => {
    expect(() => createPlatform({ seed })).toThrow(where)
    const { platform } = wireWorld({ seed: {} })
    await expect(platform.seed(seed)).rejects.toThrow(where)
  })
})
