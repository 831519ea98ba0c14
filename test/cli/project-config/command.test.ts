import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPlatform, type PlatformOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { readArguments } from '../../../src/cli/arguments'
import { leavesOf } from '../../../src/cli/project-config/differences'
import { run } from '../../../src/cli/run'
import { terminal } from '../terminal'

const provider = { type: 'github', isShared: false, clientId: 'Iv1', clientSecret: 'a very secret text' }

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A folder with an environment for a local platform, and the calls of its owner. */
async function project(environment: Record<string, string> = {}, options: PlatformOptions = {}) {
  const platform = createPlatform({ wire: '2026', ...options })
  const server = await listen(platform, { port: 0 })
  closing.push(() => server.close())
  const person = terminal({ environment: { STACK_API_URL: server.url, ...environment } })
  const file = join(person.io.folder, 'rxauth.project.json')
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api/v1/internal/config${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-stack-access-type': 'admin',
        'x-stack-project-id': platform.adminOptions.projectId,
        'x-stack-super-secret-admin-key': platform.adminOptions.superSecretAdminKey,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { readonly config_string: string; readonly source: object }
  }
  return {
    ...person,
    platform,
    url: server.url,
    rxauth: (...given: string[]) => run(['config', ...given], person.io),
    write: (config: unknown) => writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config)),
    read: () => readFileSync(file, 'utf8'),
    override: async (level = 'branch') =>
      JSON.parse((await ask('GET', `/override/${level}`)).config_string) as Record<string, unknown>,
    replace: (config: object) => ask('PUT', '/override/environment', { config_string: JSON.stringify(config) }),
    change: (config: object, level = 'branch') =>
      ask('PATCH', `/override/${level}`, { config_override_string: JSON.stringify(config) }),
    source: async () => (await ask('GET', '/source')).source,
  }
}

describe('rxauth config', () => {
  it("reads the variables of the platform's new name, and names a difference without the values", async () => {
    const { rxauth, url, err, out } = await project({
      HEXCLAVE_PROJECT_ID: createPlatform().options.projectId,
      STACK_PROJECT_ID: 'another-project',
      HEXCLAVE_SUPER_SECRET_ADMIN_KEY: createPlatform().adminOptions.superSecretAdminKey,
      HEXCLAVE_SECRET_SERVER_KEY: ' ',
    })
    expect(await rxauth('pull', '--level', 'environment')).toBe(0)
    expect(out()).toContain(url)
    expect(err()).toContain('rxauth: HEXCLAVE_PROJECT_ID and STACK_PROJECT_ID differ; HEXCLAVE_PROJECT_ID is used')
    expect(err()).not.toContain('another-project')
  })
})

describe('rxauth config pull', () => {
  it('makes the folder of the file', async () => {
    const { rxauth, io } = await project()
    expect(await rxauth('pull', '--file', 'deep/down/project.json')).toBe(0)
    expect(readFileSync(join(io.folder, 'deep/down/project.json'), 'utf8')).toBe('{}\n')
  })

  // Promise: config-command
  it('writes the branch as nested JSON, sorted, so that a repeated pull changes nothing', async () => {
    const { rxauth, read, change, out, err, url } = await project()
    await change({
      'users.allowClientUserDeletion': true,
      'auth.signUpRules.a': { action: { type: 'log' }, enabled: true },
    })
    expect(await rxauth('pull')).toBe(0)
    expect(read()).toBe(
      `${JSON.stringify({ auth: { signUpRules: { a: { action: { type: 'log' }, enabled: true } } }, users: { allowClientUserDeletion: true } }, null, 2)}\n`,
    )
    const first = read()
    expect(await rxauth('pull')).toBe(0)
    expect(read()).toBe(first)
    expect([out().split('\n')[0], err()]).toEqual([`rxauth.project.json has what the level branch at ${url} says.`, ''])
  })

  it.each<[what: string, changes: object[]]>([
    ['an object in an entry', [{ 'payments.products': { pro: { meta: { my: { key: 2 } } } } }]],
    ['a part of an entry', [{ 'auth.signUpRules.a.enabled': false }]],
    ['a part of an entry that is taken away', [{ 'auth.signUpRules.a': null }, { 'auth.signUpRules.a.enabled': true }]],
    ['empty values', [{ 'payments.products': {}, 'payments.items': { free: [] } }]],
  ])('writes a file whose push changes nothing: %s', async (_, changes) => {
    const { rxauth, change, override, out, err } = await project()
    await change({ 'auth.signUpRules.a': { action: { type: 'reject' } } }, 'environment')
    for (const each of changes) await change(each)
    const before = await override()
    expect(before).not.toEqual({})
    expect(await rxauth('pull')).toBe(0)
    expect(await rxauth('diff')).toBe(0)
    expect([await rxauth('push'), err().replaceAll(/^.* the branch has no effect there\n/gm, '')]).toEqual([0, ''])
    expect(leavesOf(await override())).toEqual(leavesOf(before))
    expect(out()).toContain('nothing changed')
  })

  it('warns of secrets, and prints none', async () => {
    const { rxauth, change, out, err, read } = await project()
    await change({ 'auth.oauth.providers.github': provider }, 'environment')
    expect(await rxauth('pull', '--level', 'environment')).toBe(0)
    expect(err()).toContain('has secrets (auth.oauth.providers.github.clientSecret)')
    expect(out() + err()).not.toContain(provider.clientSecret)
    expect(read()).toContain(provider.clientSecret)
  })

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

  // Promise: secret-files
  it.each(['a new file', 'a file that all may read', 'a file behind a link'])(
    'lets only the owner read %s, and leaves no other file',
    async which => {
      // It has no such modes.
      if (process.platform === 'win32') return
      const { rxauth, change, read, write, io } = await project()
      await change({ 'auth.oauth.providers.github': provider }, 'environment')
      const file = join(io.folder, 'rxauth.project.json')
      const real = which === 'a file behind a link' ? join(io.folder, 'kept.json') : file
      if (real !== file) symlinkSync(real, file)
      if (which !== 'a new file') {
        write({})
        chmodSync(real, 0o644)
      }
      const others = readdirSync(io.folder)
      expect(await rxauth('pull', '--level', 'environment')).toBe(0)
      expect([modeOf(real), read()]).toEqual(['600', expect.stringContaining(provider.clientSecret)])
      expect(readdirSync(io.folder).sort()).toEqual([...new Set([...others, 'rxauth.project.json'])].sort())
    },
  )

  it('leaves no file behind where it cannot write', async () => {
    const { rxauth, io } = await project()
    mkdirSync(join(io.folder, 'taken.json'))
    const before = readdirSync(io.folder)
    expect(await rxauth('pull', '--file', 'taken.json')).not.toBe(0)
    expect(readdirSync(io.folder)).toEqual(before)
  })

  it('takes another level, and another file', async () => {
    const { rxauth, change, io } = await project()
    await change({ 'auth.otp.allowSignIn': true }, 'environment')
    expect(await rxauth('pull', '--level', 'environment', '--file=other.json')).toBe(0)
    expect(JSON.parse(readFileSync(join(io.folder, 'other.json'), 'utf8'))).toMatchObject({
      auth: { otp: { allowSignIn: true } },
    })
  })
})

describe('rxauth config diff', () => {
  // Promise: config-command
  it('ends with 1 and a line for each value that a push would change, without secrets', async () => {
    const { rxauth, change, replace, write, out, err } = await project()
    await replace({
      'auth.otp.allowSignIn': true,
      'auth.passkey.allowSignIn': true,
      'auth.oauth.providers.github': { type: 'github' },
    })
    await change({ 'auth.oauth.providers.github': provider }, 'environment')
    const github = { ...provider, clientSecret: 'another secret text', clientId: 'Iv2' }
    write({ auth: { otp: { allowSignIn: false }, oauth: { providers: { github } }, allowSignUp: null } })
    expect(await rxauth('diff', '--level', 'environment')).toBe(1)
    expect(out().trim().split('\n')).toEqual([
      '+ auth.allowSignUp: null',
      '~ auth.oauth.providers.github.clientId: "Iv1" → "Iv2"',
      '~ auth.oauth.providers.github.clientSecret: •••••• → ••••••',
      '~ auth.otp.allowSignIn: true → false',
    ])
    expect(out() + err()).not.toContain('secret text')
  })

  it('prints no text below a name of a secret, and neither does a pull', async () => {
    const { rxauth, change, write, out, err } = await project()
    await change({
      'dbSync.externalDatabases': { main: { type: 'postgres', connectionString: 'postgres://u:hush@db' } },
      'payments.products': {
        stripe: { secrets: { live: 'sk_live_hush' }, webhookSecrets: ['whsec_hush', { old: 'whsec_hush' }] },
      },
    })
    expect(await rxauth('pull')).toBe(0)
    for (const path of ['dbSync.externalDatabases', 'payments.products.stripe.webhookSecrets'])
      expect(err()).toContain(path)
    write({})
    expect(await rxauth('diff')).toBe(1)
    expect(out().trim().split('\n').slice(1)).toEqual([
      '- dbSync.externalDatabases.main.connectionString: ••••••',
      '- dbSync.externalDatabases.main.type: "postgres"',
      '- payments.products.stripe.secrets.live: ••••••',
      '- payments.products.stripe.webhookSecrets: [••••••,{"old":••••••}]',
    ])
    expect(out() + err()).not.toContain('hush')
  })

  it('ends with 0 without a difference, however the file is written', async () => {
    const { rxauth, change, write, out, url } = await project()
    await change({ auth: { otp: { allowSignIn: true } } })
    write('\uFEFF{ "auth.otp.allowSignIn": true }')
    expect([await rxauth('diff'), out()]).toEqual([0, `rxauth.project.json is what the level branch at ${url} says.\n`])
  })

  it('prints no control characters of a file', async () => {
    const { rxauth, write, out } = await project()
    write({ payments: { '\u001b[2J': '\u001b[31m' } })
    expect(await rxauth('diff')).toBe(1)
    expect(out()).not.toContain('\u001b')
  })
})

describe('rxauth config push', () => {
  const commit = { GITHUB_REPOSITORY: 'example/shop', GITHUB_REF_NAME: 'main', GITHUB_SHA: '4a1b0c2' }

  // Promise: config-command
  it('names the commit in a workflow on GitHub', async () => {
    const { rxauth, write, source, io } = await project(commit)
    write({})
    expect(await rxauth('push')).toBe(0)
    const { GITHUB_REPOSITORY: _, ...rest } = commit
    expect(await source()).toEqual({
      ...{ type: 'pushed-from-github', owner: 'example', repo: 'shop', branch: 'main', commit_hash: rest.GITHUB_SHA },
      config_file_path: 'rxauth.project.json',
    })
    const within = await project({ ...commit, GITHUB_WORKSPACE: join(io.folder, '..') })
    within.write({})
    expect(await within.rxauth('push')).toBe(0)
    expect(await within.source()).toMatchObject({
      config_file_path: expect.stringMatching(/^rxauth-dev-\w+\/rxauth\.project\.json$/) as string,
    })
  })

  it('is a dry run on demand, which changes nothing', async () => {
    const { rxauth, write, override, out } = await project()
    write({ auth: { otp: { allowSignIn: true } } })
    expect(await rxauth('push', '--dry-run')).toBe(0)
    expect(out()).toBe('+ auth.otp.allowSignIn: true\nA push would change 1 value.\n')
    expect(await override()).toEqual({})
  })

  const mixed = {
    auth: { allowSignUp: false, oauth: { providers: { github: provider } } },
    domains: { allowLocalhost: true, trustedDomains: { main: { baseUrl: 'https://shop.example.com' } } },
    teams: { allowClientTeamCreation: true },
  }

  it('sends what only the environment takes there, as changes by path, and the rest to the branch', async () => {
    const { rxauth, write, override, out, url, change } = await project()
    await change({ 'users.allowClientUserDeletion': true, 'domains.allowLocalhost': false }, 'environment')
    const before = await override('environment')
    write(mixed)
    expect(await rxauth('push')).toBe(0)
    const { isShared, clientId, clientSecret, type } = provider
    const nested = { auth: { allowSignUp: false, oauth: { providers: { github: { type } } } }, teams: mixed.teams }
    expect(leavesOf(await override())).toEqual(leavesOf(nested))
    expect(await override('environment')).toEqual({
      ...before,
      'domains.allowLocalhost': true,
      'domains.trustedDomains.main': mixed.domains.trustedDomains.main,
      'auth.oauth.providers.github.isShared': isShared,
      'auth.oauth.providers.github.clientId': clientId,
      'auth.oauth.providers.github.clientSecret': clientSecret,
    })
    expect(out()).not.toContain(clientSecret)
    expect(out()).toContain(
      `is pushed to the level branch at ${url} and the level environment at ${url}: 8 values changed`,
    )
    expect(await rxauth('diff')).toBe(0)
  })

  it('names what it leaves out with a server key, and changes the branch', async () => {
    const { secretServerKey } = createPlatform().serverOptions
    const { rxauth, write, override, err, out } = await project({ STACK_SECRET_SERVER_KEY: secretServerKey })
    const before = await override('environment')
    write(mixed)
    expect(await rxauth('push')).toBe(0)
    expect([await override('environment'), (await override())['teams.allowClientTeamCreation'] ?? true]).toEqual([
      before,
      true,
    ])
    expect(err()).toMatch(
      /left out auth\.oauth\.providers\.github\.isShared, .*, domains\.allowLocalhost, .*: the level environment takes them/,
    )
    expect(out() + err()).not.toContain(provider.clientSecret)
  })

  it.each<[said: string, config: object, level: string]>([
    [
      'has project.requirePublishableClientKey, which only the level project takes',
      { project: { requirePublishableClientKey: true } },
      'branch',
    ],
    ['auth.allowSignUp is a setting of the level branch', { auth: { allowSignUp: true } }, 'project'],
    ['has no type', { auth: { oauth: { providers: { github: { allowSignIn: true } } } } }, 'branch'],
    ['has the key "a.b"', { auth: { signUpRules: { 'a.b': {} } } }, 'environment'],
  ])('says before a request: %s', async (said, config, level) => {
    const { rxauth, write, err, platform } = await project()
    const asked: unknown[] = []
    platform.requests$.subscribe(request => asked.push(request))
    write(config)
    expect(await rxauth('push', '--level', level)).toBe(1)
    expect([err(), asked]).toEqual([expect.stringContaining(said), []])
  })

  // Promise: config-command
  it('shows why the platform refuses it, without secrets, and changes nothing', async () => {
    const { rxauth, write, override, err, platform } = await project()
    write({ nonsense: { key: 1 } })
    expect(await rxauth('push')).toBe(1)
    expect(err()).toContain('was refused with status 400: The key "nonsense" is not valid')
    platform.faults.next('PUT /internal/config/override/{level}', { status: 500 })
    write({ auth: { oauth: { providers: { github: provider } } } })
    expect(await rxauth('push')).toBe(1)
    expect(err()).not.toContain(provider.clientSecret)
    expect(await override()).toEqual({})
  })
})

describe('rxauth config', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/guides/config-in-ci.md'), 'utf8')

  // Promise: config-command
  it('understands the file and the commands of the guide', async () => {
    const { rxauth, write } = await project()
    const [, file = ''] = /```json\n([^]*?)```/.exec(guide) ?? []
    write(file)
    expect(await rxauth('push')).toBe(0)
    expect(await rxauth('diff')).toBe(0)
    const commands = [...guide.matchAll(/npx (rxauth config [\w -./]+)/g)].map(([, line = '']) =>
      line.trim().split(' '),
    )
    expect(commands.length).toBeGreaterThan(4)
    for (const [, ...given] of commands) expect([given, readArguments(given).kind]).toEqual([given, 'config'])
  })
})

describe('rxauth config says what is missing:', () => {
  const hosted = { STACK_API_URL: 'https://auth.example.com' }
  const [serverKey, adminKey] = ['ssk_0123456789abcdef', 'sak_0123456789abcdef']

  it.each<[said: string, environment: Record<string, string>, given?: string[]]>([
    ['set STACK_PROJECT_ID', hosted],
    ['set STACK_SUPER_SECRET_ADMIN_KEY, or STACK_SECRET_SERVER_KEY', { ...hosted, STACK_PROJECT_ID: 'shop' }],
    ['STACK_API_URL must be an http or https address', { STACK_API_URL: 'ftp://auth.example.com' }],
    [
      'a server key gives access to the level branch only',
      { ...hosted, STACK_PROJECT_ID: 'shop', STACK_SECRET_SERVER_KEY: serverKey },
      ['--level', 'environment'],
    ],
    ['set STACK_PROJECT_ID', { ...hosted, STACK_PROJECT_ID: ' \u200B\n' }],
    ['STACK_PROJECT_ID has a line break inside', { ...hosted, STACK_PROJECT_ID: 'shop\nshop' }],
    ['STACK_API_URL is in quotes', { STACK_API_URL: '"https://auth.example.com"' }],
    [
      'STACK_SECRET_SERVER_KEY has U+200B inside',
      { ...hosted, STACK_PROJECT_ID: 'shop', STACK_SECRET_SERVER_KEY: `${serverKey}\u200B${serverKey}` },
    ],
  ])('%s', async (said, environment, given = []) => {
    const { io, err } = terminal({ environment })
    expect(await run(['config', 'pull', ...given], io)).toBe(1)
    expect(err()).toContain(said)
    expect(err()).not.toContain(serverKey)
  })

  it('nothing, where the variables have invisible ends', async () => {
    const { url, platform } = await project()
    const { io } = terminal({
      environment: {
        STACK_API_URL: `\uFEFF${url}/\r\n`,
        STACK_SUPER_SECRET_ADMIN_KEY: `${platform.adminOptions.superSecretAdminKey}\u200B\n`,
      },
    })
    expect(await run(['config', 'pull'], io)).toBe(0)
  })

  it('the file', async () => {
    const { rxauth, err } = await project()
    expect(await rxauth('push')).toBe(1)
    expect(err()).toBe('rxauth: there is no configuration at rxauth.project.json: rxauth config pull writes it\n')
  })

  it('the file itself, where a folder has its name', async () => {
    const { rxauth, io, err } = await project()
    mkdirSync(join(io.folder, 'config'))
    expect([await rxauth('diff', '--file', 'config'), await rxauth('pull', '--file', 'config')]).toEqual([2, 1])
    const reason = 'EISDIR: illegal operation on a directory'
    expect(err()).toBe(`rxauth: config cannot be read: ${reason}\nrxauth: config cannot be written: ${reason}\n`)
  })

  it.each(['{ "clientSecret": "a very secret text"', '[]', '5'])('an object in the file: %s', async text => {
    const { rxauth, write, err } = await project()
    write(text)
    expect(await rxauth('diff')).toBe(2)
    expect(err()).toMatch(/^rxauth: rxauth\.project\.json (is not valid JSON|must have an object)\n$/)
  })

  // Promise: config-command
  it('the right key, which is not printed', async () => {
    const { rxauth, err } = await project({ STACK_SUPER_SECRET_ADMIN_KEY: adminKey })
    expect(await rxauth('pull')).toBe(1)
    expect(err()).toContain('(do the project id and the key belong together?)')
    expect(err()).not.toContain(adminKey)
  })

  it('the configuration, on a release without one', async () => {
    const { rxauth, err, url } = await project({}, { wire: '2.8.18' })
    expect(await rxauth('pull')).toBe(1)
    expect(err()).toBe(`rxauth: ${url} has no configuration of projects: it is a release before 2026, or no platform\n`)
  })

  it.each([
    ['not a platform', 'text/html', '<html>'],
    ['not a configuration', 'application/json', '{"config_string":"[]"}'],
  ])('a platform: %s answers', async (_, type, text) => {
    const server = createServer((request, response) => response.setHeader('content-type', type).end(text))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { io, err } = terminal({ environment: { STACK_API_URL: `http://127.0.0.1:${port}` } })
    expect(await run(['config', 'pull'], io)).toBe(1)
    expect(err()).toContain('answers something else than a configuration')
  })

  it('a platform that can be reached', async () => {
    const { io, err } = terminal({ environment: { STACK_API_URL: 'http://127.0.0.1:1' } })
    expect(await run(['config', 'pull'], io)).toBe(1)
    expect(err()).toMatch(/^rxauth: http:\/\/127\.0\.0\.1:1 cannot be reached: /)
    const secure = terminal({ environment: { STACK_API_URL: 'https://127.0.0.1:1' } })
    expect(await run(['config', 'pull'], secure.io)).toBe(1)
    expect(secure.err()).toMatch(/cannot be reached: .* \(rxauth dev speaks http\)\n$/)
  })

  it.each([
    [[], 'the word after config is missing: pull, push, diff'],
    [['pul'], 'the word after config is not "pul"; did you mean pull?: pull, push, diff'],
    [['diff', '--dry-run'], '--dry-run is for rxauth config push; diff pushes nothing'],
    [['pull', '--level', 'x'], '--level takes one of project, branch, environment, not "x"'],
    [['pull', '--file'], '--file needs a value'],
    [['pull', 'x'], 'unknown option "x"'],
  ])('understandable arguments: %j', async (given, said) => {
    const { io, err } = terminal()
    expect(await run(['config', ...given], io)).toBe(2)
    expect(err()).toContain(`rxauth: ${said}`)
    expect(err()).toContain('rxauth config --help')
  })
})
