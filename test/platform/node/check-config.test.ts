import { checkConfig, checkSeed } from '../../../src/platform/node/check-config'

/** The lines of the message about a configuration; none if it is valid. */
function saidOf(given: unknown): string[] {
  try {
    checkConfig(given, 'c.json')
    return []
  } catch (error) {
    const [first, ...lines] = (error as Error).message.split('\n  - ')
    expect(first).toBe('c.json is not understood:')
    return lines
  }
}

const first = 'project.config.oauthProviders[0]'
const okta = {
  ...{ id: 'my-okta', type: 'custom_oidc', issuerUrl: 'https://okta.example' },
  ...{ clientId: 'x', clientSecret: 'x', displayName: 'My Okta' },
}

describe('a configuration is refused', () => {
  const provider = (change: object) => ({ project: { config: { oauthProviders: [{ ...okta, ...change }] } } })
  const rules = (...ids: string[]) => ({ project: { config: { signUpRules: ids.map(id => ({ id, action: 'log' })) } } })
  const domain = (domain: string, handlerPath = '/') => ({
    project: { config: { domains: [{ domain, handlerPath }] } },
  })
  const sessions = (createdAt: unknown) => ({ seed: { users: [{ sessions: [{ createdAt }] }] } })
  const noId = 'has to be an id of letters, digits, _ and -, not'
  it.each<[given: unknown, line: string]>([
    [undefined, 'the default export is missing'],
    ['x', 'the default export has to be an object, not "x"'],
    [() => ({}), 'the default export has to be an object, not a function'],
    [{ host: 5 }, 'host has to be a text, not 5'],
    [{ host: '' }, 'host has to be an address such as 127.0.0.1, not ""'],
    [{ data: '' }, 'data has to be a file, or "memory", not ""'],
    [{ data: [] }, 'data has to be a text, not a list'],
    [{ data: {} }, 'data has to be a text, not an object'],
    [{ data: null }, 'data has to be a text, not null'],
    [{ allowedHosts: 'a.test' }, 'allowedHosts has to be a list, not "a.test"'],
    [{ port: '1' }, 'port has to be a number, not "1"'],
    [{ port: 1.5 }, 'port has to be a whole number, not 1.5'],
    [{ port: -1 }, 'port has to be a number from 0 to 65535, not -1'],
    [{ port: 65_536 }, 'port has to be a number from 0 to 65535, not 65536'],
    [{ webhooks: [5] }, 'webhooks[0] has to be a text or an object, not 5'],
    [{ webhooks: ['ftp://a.test'] }, 'webhooks[0] has to be an http or https address, not "ftp://a.test"'],
    [{ webhooks: [{ url: 'http://a.test', secret: 5 }] }, 'webhooks[0].secret has to be a text'],
    [{ rotation: 'x' }, 'rotation has to be true or false or an object, not "x"'],
    [{ rotation: { graceMillis: 'x' } }, 'rotation.graceMillis has to be a number, not "x"'],
    [{ rotation: { graceMilis: 5 } }, 'rotation.graceMilis is no setting; did you mean graceMillis?'],
    [rules('no.spam'), `project.config.signUpRules[0].id ${noId} "no.spam"`],
    [rules('__proto__'), `project.config.signUpRules[0].id ${noId} "__proto__"`],
    [rules('x', 'x'), 'project.config.signUpRules has to be a list of rules with different ids, not a list'],
    [
      { permissions: [{ id: 'sell.all', scope: 'team' }] },
      'permissions[0].id has to be an id without dots, not "sell.all"',
    ],
    [{ permissions: [{ scope: 'team' }] }, 'permissions[0].id is missing'],
    [domain('a.test'), 'project.config.domains[0].domain has to be an http or https address, not "a.test"'],
    [domain('http://a.test', 'h'), 'project.config.domains[0].handlerPath has to be a path such as /handler, not "h"'],
    [{ project: { logoUrl: 'logo.png' } }, expect.stringContaining('project.logoUrl has to be an http, https or data')],
    [{ project: { config: { botChallengeToken: 5 } } }, 'project.config.botChallengeToken has to be a text'],
    [sessions('soon'), 'seed.users[0].sessions[0].createdAt has to be a date such as 2026-01-31T12:00:00Z, not "soon"'],
    [sessions(5), 'seed.users[0].sessions[0].createdAt has to be a date or a text, not 5'],
    [provider({ issuerUrl: undefined }), `${first}.issuerUrl is missing`],
    [provider({ issuerUrl: 'okta' }), `${first}.issuerUrl has to be an http or https address, not "okta"`],
    [provider({ id: 'my okta' }), `${first}.id ${noId} "my okta"`],
    [provider({ type: 'oidc' }), `${first}.type has to be "shared" or "standard" or "custom_oidc", not "oidc"`],
    [{ somethingElse: 1 }, 'somethingElse is no setting'],
    [{ wire: 'x'.repeat(201) }, `wire has to be "2.8.18" or "2.8.86" or "2026", not "${'x'.repeat(200)}"`],
  ])('that is %j', (given, line) => {
    expect(saidOf(given)).toEqual([line])
  })
})

describe('a configuration is understood', () => {
  it('with undefined settings ignored at any depth', () => {
    const permission = { id: 'read', scope: 'team' }
    expect(
      checkConfig({ log: undefined, permissions: [{ ...permission, description: undefined }] }, 'c.js'),
    ).toStrictEqual({ permissions: [permission] })
  })

  it('with dates as objects or as JSON texts', () => {
    const createdAt = new Date('2026-01-31T12:00:00Z')
    for (const date of [createdAt, '2026-01-31T12:00:00Z', '2026-01-31T13:00:00+01:00'])
      expect(checkSeed({ users: [{ sessions: [{ createdAt: date }] }] }, 'seed.json')).toEqual({
        users: [{ sessions: [{ createdAt }] }],
      })
  })
})
