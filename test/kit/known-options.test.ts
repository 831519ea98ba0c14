import { createClientApp, memoryTokens, type ClientOptions } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform, type PlatformOptions } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { invalid, local } from './mistaken-calls'
import { ada } from '../world'

/** Every option of a kit: the compiler holds this list complete. */
const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  projectId: true,
  publishableClientKey: true,
  baseUrl: true,
  extraHeaders: true,
  tokens: true,
  host: true,
  urls: true,
  trustedDomains: true,
  apiOrigins: true,
  navigate: true,
  oauthScopes: true,
  refreshOn: true,
  passwordLimits: true,
  passkeys: true,
  attemptTimeoutMillis: true,
  onUnhandled: true,
  fetch: true,
  clock: true,
}

const platformNames: Readonly<Record<keyof PlatformOptions, true>> = {
  clock: true,
  seed: true,
  rotation: true,
  compatibility: true,
  wire: true,
  webhooks: true,
  passwordCost: true,
  silentPasskeys: true,
}

const seedNames: Readonly<Record<keyof NonNullable<PlatformOptions['seed']>, true>> = {
  project: true,
  users: true,
  teams: true,
  permissions: true,
  owners: true,
}

describe('an option that does not exist', () => {
  const given = { ...local, tokens: memoryTokens() }

  it.each<[option: string, make: () => unknown]>([
    ['projectID', () => createClientApp({ ...given, projectID: 'p' } as never)],
    ['tokenStore', () => createClientApp({ ...given, tokenStore: 'cookie' } as never)],
    ['secretKey', () => createServerApp({ ...local, secretKey: 'x' } as never)],
    ['adminKey', () => createAdminApp({ ...local, adminKey: 'x' } as never)],
    ['project', () => createAdminApp({ owner: createClientApp(given), projectId: 'p', project: 'p' } as never)],
    ['urls.signin', () => createClientApp({ ...given, urls: { signin: '/login' } } as never)],
    ['refreshOn.visibility', () => createClientApp({ ...given, refreshOn: { visibility: true } } as never)],
    ['users', () => createPlatform({ users: [ada] } as never)],
    ['seed.user', () => createPlatform({ seed: { user: [ada] } } as never)],
    ['seed.project.name', () => createPlatform({ seed: { project: { name: 'Shop' } } } as never)],
    [
      'seed.project.config.magicLink',
      () => createPlatform({ seed: { project: { config: { magicLink: true } } } } as never),
    ],
    ['passwordLimits.minLength', () => createClientApp({ ...given, passwordLimits: { minLength: 8 } } as never)],
  ])('is refused by its name: %s', (option, make) => {
    expect(make).toThrow(invalid(option))
    expect(make).toThrow(/is not an option; there are: \w+/)
  })

  it('in a later seed rejects, and the platform goes on', async () => {
    const platform = createPlatform()
    await expect(platform.seed({ user: [ada] } as never)).rejects.toThrow(invalid('seed.user'))
    await platform.seed({ users: [{ email: 'grace@example.com' }] })
    await expect(platform.tokensFor('grace@example.com')).resolves.toBeDefined()
  })

  it('is none where its value is undefined, nor where it is inherited', () => {
    expect(() => createPlatform(Object.create({ inherited: 1 }) as object)).not.toThrow()
    expect(() => createClientApp({ ...given, left: undefined } as never)).not.toThrow()
  })

  it('is no option that there is', () => {
    const all = undefinedEach(optionNames)
    expect(() => createClientApp({ ...all, ...given })).not.toThrow()
    const keys = { secretServerKey: undefined, superSecretAdminKey: undefined, owner: undefined }
    expect(() => createServerApp({ ...all, ...local, ...keys } as never)).not.toThrow()
    expect(() => createAdminApp({ ...all, ...local, ...keys } as never)).not.toThrow()
    expect(() => createPlatform({ ...undefinedEach(platformNames), seed: undefinedEach(seedNames) })).not.toThrow()
  })
})

function undefinedEach(names: object): object {
  return Object.fromEntries(Object.keys(names).map(name => [name, undefined]))
}
