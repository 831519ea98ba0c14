import os from 'node:os'
import { createPlatform } from 'rxauth/platform'
import { banner, jsonLine, type Started } from '../../src/cli/banner'
import { settingsOf, type DevSettings } from '../../src/cli/settings'

const platform = createPlatform()
const { projectId, publishableClientKey } = platform.options
const url = 'http://127.0.0.1:8102'
const inMemory = { platform, file: null, sqlite: null, isNew: true, howToKeep: null }

function started(settings: Partial<DevSettings> = {}, changes: Partial<Started> = {}): Started {
  return {
    ...{
      platform,
      url,
      data: inMemory,
      configFile: null,
      consoleUrl: null,
      passkeyAdvice: null,
      folder: '/shop',
      prefix: '',
      appUrl: 'http://localhost:3000/',
    },
    settings: { ...settingsOf({}, {}, null), ...settings },
    ...changes,
  }
}

/** The parts of the output by their first line. */
const partsOf = (one: Started) => banner(one).trimEnd().split('\n\n')

afterEach(() => jest.restoreAllMocks())

describe('the banner of a started platform', () => {
  it('has each address and each file of a complete platform', () => {
    const data = { ...inMemory, file: '/shop/.rxauth/data.sqlite', sqlite: 'node:sqlite' } as const
    const rest = { data, consoleUrl: `${url}/`, configFile: '/shop/rxauth.config.ts' }
    const [table = ''] = partsOf(started({ webhooks: [{ url: 'http://localhost:3000/hook' }] }, rest))
    expect(table.split('\n')).toEqual([
      'Local platform    http://127.0.0.1:8102',
      'Console           http://127.0.0.1:8102/',
      'Mailbox           http://127.0.0.1:8102/mailbox',
      'Data              .rxauth/data.sqlite (node:sqlite)',
      'Configuration     rxauth.config.ts',
      `Project id        ${projectId}`,
      `Publishable key   ${publishableClientKey}`,
      `Webhook secret    ${platform.webhooks.secret}`,
    ])
  })

  it('has what every app needs on a minimal platform', () => {
    const [table = ''] = partsOf(started({ compatibility: 'strict' }))
    expect(table.split('\n')).toEqual([
      'Local platform    http://127.0.0.1:8102',
      'Data              in memory: it is gone when the platform ends',
      `Project id        ${projectId}`,
      `Publishable key   ${publishableClientKey}`,
    ])
  })

  it('names the package that passkeys need where it is missing', () => {
    const parts = partsOf(started({}, { passkeyAdvice: 'npm install --save-dev @simplewebauthn/server' }))
    expect(parts[1]).toBe('To use passkeys: npm install --save-dev @simplewebauthn/server')
    expect(partsOf(started()).join()).not.toMatch(/passkey/)
  })

  it('has at most eight users with an address, then the owners', () => {
    const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']
    const users = names.map(displayName => ({ email: `${displayName.toLowerCase()}@example.com`, displayName }))
    const seed = {
      users: [{ displayName: 'No address' }, { ...users[0]!, password: 'one and one' }, ...users.slice(1)],
      owners: [{ email: 'owner@example.com', password: 'own and own', totpSecret: 'bG9jYWw=' }],
    }
    const people = partsOf(started({ seed })).find(part => part.startsWith('People'))
    expect(people!.split('\n')).toEqual([
      'People to sign in with:',
      '  one@example.com      One            password "one and one", http://127.0.0.1:8102/as/one@example.com',
      '  two@example.com      Two            no password, http://127.0.0.1:8102/as/two@example.com',
      ...names
        .slice(2, 8)
        .map(name => expect.stringMatching(new RegExp(`^  (\\S+) +${name} +no password, http.*/as/\\1$`)) as string),
      '  owner@example.com                   password "own and own", second factor NRXWGYLM, owns the project',
      '  and 2 more',
      '  Each address signs in at http://localhost:3000/, or where it says so: ?to=http://localhost:3000/account',
    ])
    expect(banner(started({ seed, compatibility: 'strict' }))).not.toContain('/as/')
  })

  it('names the address at which the development server of Vite listens', () => {
    const seed = { users: [{ email: 'sam@example.com' }] }
    const one = started({ seed }, { appUrl: 'http://localhost:5173/' })
    expect(banner(one)).toContain('http://127.0.0.1:8102/as/sam@example.com?to=http://localhost:5173/\n')
    expect(banner(one)).not.toContain('3000')
    expect(JSON.parse(jsonLine(one))).toMatchObject({
      users: [{ signIn: 'http://127.0.0.1:8102/as/sam@example.com?to=http://localhost:5173/' }],
    })
  })

  it('has no "more" if all users are listed, and no list without users', () => {
    const seed = { users: [{ email: 'sam@example.com' }] }
    expect(banner(started({ seed }))).not.toContain('more')
    expect(banner(started({ seed: {} }))).not.toContain('People')
  })

  it('says that passwords of users from an earlier start may have changed', () => {
    expect(banner(started({}, { data: { ...inMemory, isNew: false } }))).toContain(
      '\nPeople to sign in with, with the passwords that they began with:\n',
    )
  })

  it('says how to keep the data', () => {
    const data = { ...inMemory, howToKeep: 'npm install --save-dev libsql' }
    expect(partsOf(started({}, { data }))[1]).toBe('To keep the data: npm install --save-dev libsql')
    expect(banner(started())).not.toContain('To keep')
  })

  it.each([
    ['0.0.0.0', 'http://192.168.1.5:8102 or http://10.0.0.2:8102'],
    ['::', 'http://192.168.1.5:8102 or http://10.0.0.2:8102'],
    ['192.168.1.5', 'http://192.168.1.5:8102'],
    ['auth.test', 'auth.test:8102'],
  ])('on %s warns that others reach %s', (host, addresses) => {
    const ipv4 = { netmask: '255.255.255.0', mac: '', cidr: null, family: 'IPv4', internal: false } as const
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      lo: [{ ...ipv4, address: '127.0.0.1', internal: true }],
      eth0: [
        { ...ipv4, address: '192.168.1.5' },
        { ...ipv4, address: 'fe80::1', family: 'IPv6', scopeid: 2 },
      ],
      // A second name of the same address.
      eth1: [{ ...ipv4, address: '192.168.1.5' }],
      wlan0: [{ ...ipv4, address: '10.0.0.2' }],
    })
    expect(partsOf(started({ host }))[1]).toMatch(`Exposed: whatever reaches ${addresses} can read every mail`)
  })

  it.each(['localhost', '127.0.0.1', '127.3.2.1', '::1'])('has no warning on %s', host => {
    expect(banner(started({ host }))).not.toContain('Exposed')
  })
})

describe('the line for programs', () => {
  it('has null for missing values', () => {
    const seed = { users: [{ email: 'sam@example.com' }, { displayName: 'No address', password: 'sam and sam' }] }
    expect(JSON.parse(jsonLine(started({ compatibility: 'strict', wire: '2026', seed })))).toEqual({
      ...{ url, console: null, mailbox: null, projectId, publishableClientKey, data: null, config: null, wire: '2026' },
      users: [
        { email: 'sam@example.com', password: null, displayName: null, totpSecret: null, signIn: null },
        { email: null, password: 'sam and sam', displayName: 'No address', totpSecret: null, signIn: null },
      ],
      owners: [],
      env: expect.objectContaining({ STACK_API_URL: url, STACK_PROJECT_ID: projectId }) as object,
      pid: process.pid,
    })
  })
})
