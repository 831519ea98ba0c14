import type { ObjectEntries } from 'valibot'
import { config } from '../../../src/entities/config/shape'
import { entryAt, flatFields, flatParts, levelsOf } from '../../../src/entities/config/shape-derive'
import { projectSettings, publicSettings } from '../../../src/entities/projects/shape'

describe('the tree of settings', () => {
  const fields: ObjectEntries = flatFields()

  it('has every public setting, which apps check without the tree', () => {
    for (const [name, { type }] of Object.entries<{ readonly type: string }>(publicSettings))
      expect([name, fields[name]?.type]).toEqual([name, type])
  })

  it('has every setting that owners change', () => {
    for (const [name, { type }] of Object.entries<{ readonly type: string }>(projectSettings))
      // The local platform names its themes.
      expect([name, fields[name]?.type]).toEqual([name, name === 'emailTheme' ? 'picklist' : type])
  })

  it('has no name twice in the flat form', () => {
    const names = flatParts().map(({ flat }) => flat.name)
    expect([...new Set(names)]).toEqual(names)
  })

  it('has every section of the hosted platform', () => {
    expect(Object.keys(config.nodes).sort()).toEqual(Object.keys(hosted).sort())
  })
})

/** Sections, and the levels that take them as a whole. */
const hosted = {
  ...{ apiKeys: 2, apps: 2, auth: 2, emails: 2, onboarding: 2, payments: 2, rbac: 2, teams: 2, users: 2 },
  ...{ dbSync: 2, dataVault: 2, analytics: 2, customDashboards: 1, domains: 1, project: 1, sourceOfTruth: 1 },
}

describe('the levels that take a path', () => {
  it.each(Object.entries(hosted))('are as many for the section %s as the platform has: %d', (section, count) => {
    expect(levelsOf(section)).toHaveLength(count)
  })

  it.each([
    ['domains', 'environment'],
    ['domains.brandNew', 'environment'],
    ['analytics.brandNew', undefined],
    ['emails.server.brandNew', 'environment'],
    ['payments.testMode', 'environment'],
    ['payments.blockNewPurchases', undefined],
    ['analytics.queryFolders.one.two', 'environment'],
    ['auth.oauth.providers.my idp.clientSecret', 'environment'],
    ['auth.oauth.providers.mine.issuerUrl', 'environment'],
    ['auth.oauth.providers.mine.allowSignIn', undefined],
    ['auth.oauth.providers.apple.appleBundles.one.bundleId', 'environment'],
    ['project.requirePublishableClientKey', 'project'],
    ['sourceOfTruth.type', 'project'],
  ])('%s', (path, level) => {
    expect(levelsOf(path)).toEqual(level === undefined ? ['branch', 'environment'] : [level])
  })

  it('are unknown for a section that the kit does not know', () => {
    expect([levelsOf('brandNew'), levelsOf('brandNew.key'), levelsOf('__proto__.key')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('an entry that is changed as a whole', () => {
  it.each([
    ['auth.signUpRules.spam', 'auth.signUpRules', ''],
    ['auth.signUpRules.spam.action.type', 'auth.signUpRules', 'action.type'],
    ['emails.themes.one', 'emails.themes', ''],
    ['auth.oauth.providers.apple.appleBundles.one', 'auth.oauth.providers', 'appleBundles.one'],
  ])('is found on the path %s', (path, record, below) => {
    expect(entryAt(path)).toMatchObject({ record, below })
  })

  it.each([
    'auth.signUpRules',
    'auth.allowSignUp',
    'rbac.defaultPermissions.signUp.sell',
    'apps.installed.emails',
    'a.b',
  ])('is not on the path %s', path => {
    expect(entryAt(path)).toBeUndefined()
  })
})
