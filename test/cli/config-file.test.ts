import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { appOf, folderWith, password, start } from './developed'
import { providerIds } from '../../src/platform/model/projects'
import { dev, terminal, until } from './terminal'

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
      project: {
        config: {
          magicLinkEnabled: 'yes',
          magicLinkEnable: true,
          oauthProviders: [{ id: 'myspace', type: 'shared' }, { id: 'github' }],
        },
      },
      seed: { users: [{ email: 'sam', password: 12_345_678 }] },
    })
    const { err, ended } = await dev([], { folder })
    expect(await ended).toBe(1)
    expect(err().trim().split('\n  - ').sort()).toEqual(
      [
        'rxauth: rxauth.config.json is not understood:',
        'prot is no setting; did you mean port?',
        'port has to be a number from 0 to 65535, not 70000',
        'wire has to be "2.8.18" or "2.8.86" or "2026", not "2025"',
        'webhooks[0] has to be an http or https address, not "localhost:3000"',
        'webhooks[1].secert is no setting; did you mean secret?',
        'project.config.magicLinkEnabled has to be true or false, not "yes"',
        'project.config.magicLinkEnable is no setting; did you mean magicLinkEnabled?',
        `project.config.oauthProviders[0].id has to be ${providerIds.map(id => `"${id}"`).join(' or ')}, not "myspace"`,
        'project.config.oauthProviders[1].type is missing',
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
