import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClientApp, memoryTokens } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { providerIds } from '../../../src/platform/model/project-config'
import { dev, terminal, until } from './terminal'

type Running = Awaited<ReturnType<typeof dev>>

const running: Running[] = []

async function start(args: readonly string[] = [], overrides: Parameters<typeof dev>[1] = {}): Promise<Running> {
  const one = await dev(args, overrides)
  running.push(one)
  return one
}

afterEach(async () => {
  for (const { io, stop } of running.splice(0)) {
    await stop()
    rmSync(io.folder, { recursive: true, force: true })
  }
})

/** A folder with this configuration. */
function folderWith(config: unknown, name = 'rxauth.config.json'): string {
  const { io } = terminal()
  writeFileSync(join(io.folder, name), typeof config === 'string' ? config : JSON.stringify(config))
  return io.folder
}

function appOf({ url }: Running) {
  return createClientApp({ baseUrl: url, tokens: memoryTokens() })
}

const password = 'correct horse battery'

describe('rxauth dev', () => {
  it('has every sign-in method on', async () => {
    const platform = await start()
    const { config } = await appOf(platform).project$.get()
    expect(config).toMatchObject({
      signUpEnabled: true,
      credentialEnabled: true,
      magicLinkEnabled: true,
      passkeyEnabled: true,
      clientTeamCreationEnabled: true,
      clientUserDeletionEnabled: true,
      allowUserApiKeys: true,
      allowTeamApiKeys: true,
    })
    expect(config.enabledOauthProviders.map(({ id }) => id)).toEqual(['github', 'google', 'microsoft'])
    expect(await appOf(platform).signUpAnonymously()).toMatchObject({ isNewUser: true })
  })

  it('prints users with working passwords, one of them with a second factor', async () => {
    const platform = await start()
    const people = [...platform.out().matchAll(/^ {2}(\S+@\S+) .* password "(.+?)"(?:, second factor (\w+))?$/gm)]
    expect(people.map(([, email]) => email)).toEqual(['ada@example.com', 'grace@example.com', 'alan@example.com'])
    for (const [, email = '', given = '', secret] of people) {
      const app = appOf(platform)
      const result = await app.signInWithPassword({ email, password: given })
      if (secret === undefined) expect(result.ok).toBe(true)
      else {
        expect(result).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
        const totp = await totpCode(new TextEncoder().encode('local second factor'), Date.now())
        expect(await app.continueSignIn({ totp })).toMatchObject({ ok: true })
      }
      const [team] = await app.teams$.get()
      expect(team?.displayName).toBe('Analytical Engines')
    }
  })

  it('prints its addresses, and no console if there is none', async () => {
    const { out, url } = await start()
    expect(out()).toMatch(new RegExp(`^Mailbox +${url}/mailbox$`, 'm'))
    const root = await fetch(`${url}/`)
    expect(out().includes('Console')).toBe(root.ok)
  })

  it.each([
    [{}, ''],
    [{ devDependencies: { vite: '8' } }, 'VITE_'],
    [{ dependencies: { next: '16' }, devDependencies: { vite: '8' } }, 'NEXT_PUBLIC_'],
  ])('prints the lines for .env as the bundler of %j wants them', async (manifest, prefix) => {
    const folder = folderWith(manifest, 'package.json')
    const { out, url } = await start([], { folder })
    expect(out()).toContain(`\n  ${prefix}STACK_API_URL=${url}\n`)
    expect(out()).toMatch(/\n {2}STACK_SECRET_SERVER_KEY=ssk_/)
  })

  it('with --json prints one line for tools, and nothing else on standard output', async () => {
    const { out, url, ask, isOutReserved } = await start(['--json', '--log'])
    await ask('/users/unknown')
    expect(isOutReserved()).toBe(true)
    expect(out().split('\n')).toEqual([expect.stringMatching(/^\{.*\}$/), ''])
    expect(JSON.parse(out())).toMatchObject({
      url,
      mailbox: `${url}/mailbox`,
      projectId: '10ca1de7-0000-4000-8000-000000000001',
      data: null,
      config: null,
      users: [
        { email: 'ada@example.com', password },
        { email: 'grace@example.com', password },
        { email: 'alan@example.com', password, totpSecret: 'NRXWGYLMEBZWKY3PNZSCAZTBMN2G64Q' },
      ],
      owners: [{ email: 'owner@example.com', password }],
      env: { STACK_API_URL: url, VITE_STACK_API_URL: url, NEXT_PUBLIC_STACK_API_URL: url },
    })
  })

  it('opens the mailbox, or the console where there is one', async () => {
    const { url, pages } = await start(['--open'])
    const root = await fetch(`${url}/`)
    expect(pages).toEqual([root.ok ? `${url}/` : `${url}/mailbox`])
  })

  it("continues without a browser, and prints the page's address", async () => {
    const { url, err, ask } = await start(['--open'], { openPage: () => Promise.reject(new Error('no xdg-open')) })
    expect(err()).toMatch(new RegExp(`no browser can be opened \\(no xdg-open\\): the page is ${url}/`))
    expect((await ask('/projects/current')).status).toBe(200)
  })

  it('on all addresses warns who can reach it, and still refuses other host names', async () => {
    const { out, url, ask } = await start(['--host', '0.0.0.0'])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect(out()).toContain('Exposed: whatever reaches ')
    expect(out()).toContain('can read every mail and do everything with the secret keys')
    expect((await ask('/projects/current')).status).toBe(200)
    const { sendRaw } = await import('./raw')
    const status = async (host: string) =>
      (await sendRaw({ url, close: () => Promise.resolve() }, 'GET /health', { host })).status
    expect([await status('192.168.7.7'), await status('evil.test')]).toEqual([200, 403])
  })

  it('on loopback addresses prints no warning', async () => {
    expect((await start()).out()).not.toContain('Exposed')
  })
})

describe('the data of rxauth dev', () => {
  it('keeps users and sessions after a restart', async () => {
    const { folder } = terminal().io
    const first = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    const tokens = memoryTokens()
    const app = createClientApp({ baseUrl: first.url, tokens })
    await app.signUpWithPassword({ email: 'new@example.com', password, verificationCallbackUrl: 'http://localhost/v' })
    await first.stop()
    const again = await start(['--data', '.rxauth/data.sqlite'], { folder })
    const user = await createClientApp({ baseUrl: again.url, tokens }).user$.get()
    expect(user?.primaryEmail).toBe('new@example.com')
    expect(again.out()).toContain('with the passwords that they began with')
  })

  it('is a file of the project by default, also when started in a folder below it', async () => {
    const folder = folderWith({}, 'package.json')
    const { run } = await import('../../../src/platform/node/run')
    const person = terminal({ folder })
    const ended = run(['dev', '--port', '0'], person.io)
    await until(() => person.listening() > 0)
    expect(person.out()).toMatch(/^Data +\.rxauth\/data\.sqlite$/m)
    expect(readFileSync(join(folder, '.rxauth/.gitignore'), 'utf8')).toBe('*\n')
    // A second start prints what to do.
    const second = terminal({ folder })
    expect(await run(['dev', '--port', '0'], second.io)).toBe(1)
    expect(second.err()).toMatch(/data\.sqlite is open in another process: end the other `rxauth dev`, or choose/)
    person.signal('SIGTERM')
    expect(await ended).toBe(0)
    expect(existsSync(join(folder, '.rxauth/running.json'))).toBe(false)
  })

  it('is in memory on request, without a file', async () => {
    const { io, out, stop } = await dev()
    expect(out()).toMatch(/^Data +in memory/m)
    await stop()
    expect(existsSync(join(io.folder, '.rxauth/data.sqlite'))).toBe(false)
  })
})

describe('rxauth dev --log', () => {
  it('prints a line per request, each failure with its reason, and no secrets', async () => {
    const { url, out, ask } = await start(['--log'])
    const before = out()
    await ask('/projects/current')
    await ask('/auth/password/sign-in', {
      method: 'POST',
      headers: {
        'x-stack-access-type': 'client',
        'x-stack-publishable-client-key': 'pck_local-platform-publishable-client-key-not-a-secret',
        'x-stack-override-error-status': 'true',
      },
      body: JSON.stringify({ email: 'ada@example.com', password: 'wrong-password-9' }),
    })
    await ask('/nowhere?code=secret-code-1234')
    await ask('/api-keys/sk_local%2Fkey+1=/0123456789abcdefghjkmnpqr%2Fada%40example.com')
    await fetch(`${url}/mailbox`, { headers: { origin: 'https://evil.test' } })
    const log = out().slice(before.length)
    expect(log.replace(/\d+ ms/g, 'N ms').split('\n')).toEqual([
      'GET /api/v1/projects/current (admin) 200 N ms',
      expect.stringMatching(
        /^POST \/api\/v1\/auth\/password\/sign-in \(client\) 400 N ms: EMAIL_PASSWORD_MISMATCH \S.+/,
      ),
      expect.stringMatching(/^GET \/api\/v1\/nowhere \(admin\) 404 N ms: The local platform has nothing at/),
      expect.stringMatching(/^GET \/api\/v1\/api-keys\/\[key\]\S*\/\[email\] \(admin\) 404 N ms/),
      expect.stringMatching(/^GET \/mailbox 403 N ms: A page of https:\/\/evil\.test may not read the mailbox/),
      '',
    ])
    expect(log).not.toMatch(/wrong-password-9|secret-code|sak_|sk_local|0123456789abc|ada/)
  })

  it('is silent without it', async () => {
    const { out, ask } = await start()
    const before = out()
    await ask('/projects/current')
    expect(out()).toBe(before)
  })
})

describe('the configuration of rxauth dev', () => {
  it('is found in the project, and its settings apply', async () => {
    const folder = folderWith({
      wire: '2026',
      project: { displayName: 'Shop', config: { magicLinkEnabled: false } },
      permissions: [{ id: 'read', scope: 'project' }],
      seed: { users: [{ email: 'sam@example.com', password: 'sam and sam', displayName: 'Sam' }] },
    })
    const platform = await start([], { folder })
    expect(platform.out()).toMatch(/^Configuration +rxauth\.config\.json$/m)
    const app = appOf(platform)
    const project = await app.project$.get()
    expect(project.displayName).toBe('Shop')
    expect(project.config).toMatchObject({ magicLinkEnabled: false, passkeyEnabled: true })
    expect(await app.signInWithPassword({ email: 'sam@example.com', password: 'sam and sam' })).toMatchObject({
      ok: true,
    })
    expect(await app.signInWithPassword({ email: 'ada@example.com', password })).toMatchObject({ ok: false })
    const { items } = (await (await platform.ask('/project-permission-definitions')).json()) as { items: unknown[] }
    expect(items).toEqual([{ id: 'read', contained_permission_ids: [] }])
  })

  it('is overridden by flags', async () => {
    const folder = folderWith({ port: 1, log: true, compatibility: 'local' })
    const platform = await start(['--strict'], { folder })
    await expect(appOf(platform).signUpAnonymously()).rejects.toMatchObject({ code: 'ANONYMOUS_ACCOUNTS_NOT_ENABLED' })
  })

  it('applies settings and adds missing users at each start, and changes no existing user', async () => {
    const folder = folderWith({ seed: { users: [{ email: 'sam@example.com', displayName: 'Sam' }] } })
    const args = ['--data', 'data.sqlite']
    const first = await dev(args, { folder })
    const { items } = (await (await first.ask('/users')).json()) as { items: { id: string }[] }
    await first.ask(`/users/${items[0]!.id}`, { method: 'PATCH', body: '{"display_name":"Samuel"}' })
    await first.stop()
    writeFileSync(
      join(folder, 'rxauth.config.json'),
      JSON.stringify({
        project: { config: { passkeyEnabled: false } },
        seed: {
          users: [
            { email: 'SAM@example.com', displayName: 'Sam' },
            { email: 'tom@example.com', displayName: 'Tom' },
          ],
        },
      }),
    )
    const second = await start(args, { folder })
    const after = (await (await second.ask('/users')).json()) as { items: { display_name: string }[] }
    expect(after.items.map(({ display_name }) => display_name).sort()).toEqual(['Samuel', 'Tom'])
    expect((await appOf(second).project$.get()).config.passkeyEnabled).toBe(false)
  })

  it('has to exist if it was named', async () => {
    const { err, ended } = await dev(['--config', 'other.json'])
    expect(await ended).toBe(1)
    expect(err()).toBe('rxauth: there is no configuration at other.json\n')
  })

  it('is refused with every wrong setting, its path and its value, but never a secret', async () => {
    const folder = folderWith({
      prot: 1,
      port: 70_000,
      wire: '2025',
      webhooks: ['localhost:3000', { url: 'http://localhost:3000/hook', secert: 'x' }],
      project: { config: { magicLinkEnabled: 'yes', magicLinkEnable: true, oauthProviders: [{ id: 'myspace' }] } },
      seed: { users: [{ email: 'sam', password: 12_345_678 }] },
    })
    const { err, ended } = await dev([], { folder })
    expect(await ended).toBe(1)
    expect(err().trim().split('\n  - ').sort()).toEqual(
      [
        'rxauth: rxauth.config.json is not understood:',
        'prot is no setting; did you mean port?',
        'port has to be a number from 0 to 65535, not 70000',
        'wire has to be "2.8.18" or "2026", not "2025"',
        'webhooks[0] has to be an http or https address, not "localhost:3000"',
        'webhooks[1].secert is no setting; did you mean secret?',
        'project.config.magicLinkEnabled has to be true or false, not "yes"',
        'project.config.magicLinkEnable is no setting; did you mean magicLinkEnabled?',
        `project.config.oauthProviders[0].id has to be ${providerIds.map(id => `"${id}"`).join(' or ')}, not "myspace"`,
        'project.config.oauthProviders[0].type is missing',
        'seed.users[0].email has to be an e-mail address, not "sam"',
        'seed.users[0].password has to be a text',
      ].sort(),
    )
  })

  it('may begin with a byte order mark', async () => {
    const { io } = terminal()
    writeFileSync(join(io.folder, 'rxauth.config.json'), '\uFEFF{"project":{"displayName":"Shop"}}')
    const platform = await start([], { folder: io.folder })
    expect((await appOf(platform).project$.get()).displayName).toBe('Shop')
  })

  it('is refused with its name if it is not JSON', async () => {
    const { err, ended } = await dev([], { folder: folderWith('{ nonsense') })
    expect(await ended).toBe(1)
    expect(err()).toMatch(/^rxauth: rxauth\.config\.json cannot be loaded: .*JSON/)
  })

  it('is applied while it runs: settings, permissions, people and webhooks', async () => {
    const received: string[] = []
    const receiver = createServer((request, response) => {
      received.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const folder = folderWith({
      project: { config: { passkeyEnabled: false } },
      permissions: [{ id: 'old', scope: 'team' }],
    })
    const platform = await start([], { folder })
    const change = async (config: unknown) => {
      const before = platform.err()
      writeFileSync(join(folder, 'rxauth.config.json'), JSON.stringify(config))
      platform.configChanged()
      await until(() => platform.err() !== before)
      return platform.err().slice(before.length)
    }
    const said = await change({
      port: 4000,
      project: { displayName: 'Shop', config: { signUpEnabled: false } },
      permissions: [{ id: 'new', scope: 'team' }],
      seed: { users: [{ email: 'sam@example.com', password: 'sam and sam' }] },
      webhooks: [hook],
    })
    expect(said).toBe(
      'rxauth: the configuration has changed and was applied; the permission "old" stays until it is deleted in the console, or by rxauth reset; port takes effect at the next start\n',
    )
    const { displayName, config } = await appOf(platform).project$.get()
    expect([displayName, config.signUpEnabled, config.passkeyEnabled]).toEqual(['Shop', false, true])
    expect(
      await appOf(platform).signInWithPassword({ email: 'sam@example.com', password: 'sam and sam' }),
    ).toMatchObject({ ok: true })
    await platform.ask('/teams', { method: 'POST', body: '{"display_name":"Ops"}' })
    await until(() => received.length > 0)
    expect(await change({})).toContain('was applied')
    await platform.ask('/teams', { method: 'POST', body: '{"display_name":"Dev"}' })
    // An invalid address is refused, and nothing is changed.
    expect(await change({ project: { color: 'teal' } })).toMatch(
      /project\.color has to be a colour such as #5b4bdb, not "teal"/,
    )
    expect(await change({ webhooks: ['nowhere'] })).toMatch(
      /webhooks\[0\] has to be an http or https address, not "nowhere"\nThe previous configuration stays in effect/,
    )
    expect((await appOf(platform).project$.get()).displayName).toBe('Local project')
    expect(received).toEqual(['/hook'])
    receiver.close()
  })
})

describe('a change that cannot be applied', () => {
  it.each([
    [
      'has a member that there is no user of',
      { seed: { teams: [{ displayName: 'T', members: [{ email: 'no@example.com' }] }] } },
    ],
    ['names no file to keep the data in', { data: '' }],
  ])('changes nothing when it %s', async (_what, mistake) => {
    const folder = folderWith({ project: { displayName: 'Shop' } })
    const platform = await start([], { folder })
    writeFileSync(
      join(folder, 'rxauth.config.json'),
      JSON.stringify({ log: true, project: { displayName: 'Other' }, ...mistake }),
    )
    platform.configChanged()
    await until(() => platform.err().includes('The previous configuration stays in effect.'))
    const before = platform.out()
    expect((await appOf(platform).project$.get()).displayName).toBe('Shop')
    expect(platform.out()).toBe(before)
  })

  it('includes deleting a file that was named; the project’s own file may be deleted', async () => {
    for (const [args, name] of [
      [['--config', 'rxauth.config.json'], 'Shop'],
      [[], 'Local project'],
    ] as const) {
      const folder = folderWith({ project: { displayName: 'Shop' } })
      const platform = await start(args, { folder })
      rmSync(join(folder, 'rxauth.config.json'))
      platform.configChanged()
      await until(() => platform.err() !== '')
      expect((await appOf(platform).project$.get()).displayName).toBe(name)
    }
  })
})

describe('--seed', () => {
  it('takes the users from a separate file', async () => {
    const folder = folderWith({ users: [{ email: 'kim@example.com', password: 'kim and kim' }] }, 'people.json')
    const platform = await start(['--seed', 'people.json'], { folder })
    expect(platform.out()).toContain('kim@example.com')
    expect(platform.out()).not.toContain('ada@example.com')
    expect(
      await appOf(platform).signInWithPassword({ email: 'kim@example.com', password: 'kim and kim' }),
    ).toMatchObject({ ok: true })
  })

  it('none starts without users', async () => {
    const platform = await start(['--seed', 'none'])
    expect(platform.out()).not.toContain('@example.com')
    const { items } = (await (await platform.ask('/users')).json()) as { items: unknown[] }
    expect(items).toEqual([])
  })

  it('names a missing file, and the mistakes of an invalid one', async () => {
    const missing = await dev(['--seed', 'missing.json'])
    expect([await missing.ended, missing.err()]).toEqual([1, 'rxauth: there is no seed at missing.json\n'])
    const folder = folderWith({ people: [] }, 'people.json')
    const wrong = await dev(['--seed', 'people.json'], { folder })
    expect([await wrong.ended, wrong.err()]).toEqual([
      1,
      'rxauth: people.json is not understood:\n  - people is no setting\n',
    ])
  })
})
