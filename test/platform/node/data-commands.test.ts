import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { run } from '../../../src/platform/node/run'
import { dev, terminal } from './terminal'

let folder: string

beforeEach(() => {
  folder = terminal().io.folder
  writeFileSync(join(folder, 'package.json'), '{}')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command to its end. */
async function rxauth(args: readonly string[], overrides: Parameters<typeof terminal>[0] = {}) {
  const { io, out, err } = terminal({ folder, ...overrides })
  const code = await run(args, io)
  return { code, out: out(), err: err() }
}

const data = () => join(folder, '.rxauth/data.sqlite')

/** The names of all users in the data. */
async function people(args: readonly string[] = ['--data', '.rxauth/data.sqlite']): Promise<(string | null)[]> {
  const platform = await dev(args, { folder })
  const { items } = (await (await platform.ask('/users')).json()) as { items: { primary_email: string | null }[] }
  await platform.stop()
  return items.map(({ primary_email }) => primary_email)
}

function configure(config: unknown): void {
  writeFileSync(join(folder, 'rxauth.config.json'), JSON.stringify(config))
}

describe('rxauth seed', () => {
  it('creates the data file, and adds missing users later', async () => {
    configure({ seed: { users: [{ email: 'sam@example.com' }] } })
    expect(await rxauth(['seed'])).toEqual({
      code: 0,
      out: '.rxauth/data.sqlite has 1 person, 0 teams, 0 owners of the seed.\n',
      err: '',
    })
    configure({ seed: { users: [{ email: 'sam@example.com' }, { email: 'tom@example.com' }] } })
    expect(await rxauth(['seed'])).toMatchObject({ code: 0 })
    // The configuration adds no users now.
    configure({ seed: {} })
    expect(await people()).toEqual(['sam@example.com', 'tom@example.com'])
  })

  it('adds the ready-made users without a configuration', async () => {
    const first = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    const { items } = (await (await first.ask('/users')).json()) as { items: { id: string }[] }
    await first.ask(`/users/${items[0]!.id}`, { method: 'DELETE' })
    await first.stop()
    expect(await people()).toEqual(['grace@example.com', 'alan@example.com'])
    expect(await rxauth(['seed'])).toMatchObject({
      code: 0,
      out: '.rxauth/data.sqlite has 3 people, 1 team, 1 owner of the seed.\n',
    })
    expect(await people()).toEqual(['grace@example.com', 'alan@example.com', 'ada@example.com'])
  })

  it('refuses data that is open, and data in memory', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    expect(await rxauth(['seed'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open in another process: end the other `rxauth dev`'),
    })
    await platform.stop()
    expect(await rxauth(['seed', '--data', 'memory'])).toMatchObject({
      code: 1,
      err: 'rxauth: data in memory cannot be seeded: name a file with --data\n',
    })
  })
})

describe('rxauth reset', () => {
  it.each([
    ['y', 0, false],
    [' Yes ', 0, false],
    ['n', 1, true],
    ['', 1, true],
  ])('asks first: %j', async (answer, code, remains) => {
    await rxauth(['seed'])
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answer
    }
    expect(await rxauth(['reset'], { isInteractive: true, ask })).toMatchObject({ code })
    expect(questions).toEqual(['Delete everybody and everything in .rxauth/data.sqlite? (y/N) '])
    expect(existsSync(data())).toBe(remains)
  })

  it('does not ask with --yes, and fails without a terminal', async () => {
    await rxauth(['seed'])
    expect(await rxauth(['reset'])).toEqual({
      code: 2,
      out: '',
      err: 'rxauth: reset asks before it deletes, which needs a terminal: give --yes\n',
    })
    expect(existsSync(data())).toBe(true)
    expect(await rxauth(['reset', '--yes'])).toEqual({ code: 0, out: '.rxauth/data.sqlite was deleted.\n', err: '' })
    expect(existsSync(data())).toBe(false)
    expect(await rxauth(['reset', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing was') })
  })

  it('keeps a file that a platform has open, and files of other programs', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    expect(await rxauth(['reset', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open in another process: end `rxauth dev` first'),
    })
    await platform.stop()
    const other = new Database(join(folder, 'other.db'))
    other.exec('CREATE TABLE lists (id TEXT)')
    other.close()
    writeFileSync(join(folder, 'list.txt'), 'milk and bread and butter and cheese '.repeat(10))
    for (const name of ['other.db', 'list.txt']) {
      expect(await rxauth(['reset', '--yes', '--data', name])).toMatchObject({ code: 1 })
      expect(existsSync(join(folder, name))).toBe(true)
    }
  })

  it('deletes data of a newer version', async () => {
    await rxauth(['seed'])
    const database = new Database(data())
    database.pragma('user_version = 99')
    database.close()
    expect(await rxauth(['reset', '--yes'])).toMatchObject({ code: 0 })
    expect(existsSync(data())).toBe(false)
  })
})

describe('rxauth types', () => {
  const types = (file = 'rxauth.d.ts') => readFileSync(join(folder, file), 'utf8')

  it("writes the configuration's permissions and providers, without a platform", async () => {
    configure({
      permissions: [
        { id: 'read', scope: 'project' },
        { id: "it's", scope: 'team' },
      ],
      project: { config: { oauthProviders: [{ id: 'spotify', type: 'shared' }] } },
    })
    expect(await rxauth(['types'])).toMatchObject({ code: 0, err: '' })
    expect(types()).toContain(`
declare module 'rxauth' {
  interface Register {
    permissionId: 'it\\'s' | 'team_admin' | 'team_member' | 'read'
    provider: 'spotify'
  }
}
`)
    expect(existsSync(data())).toBe(false)
  })

  it('writes to src if that exists, or to the named file', async () => {
    mkdirSync(join(folder, 'src'))
    await rxauth(['types'])
    expect(types('src/rxauth.d.ts')).toContain("provider: 'github' | 'google' | 'microsoft'")
    expect(await rxauth(['types', '--out', 'deep/types.d.ts'])).toEqual({
      code: 0,
      out: 'deep/types.d.ts has 2 permissions and 3 providers of the project.\n',
      err: '',
    })
    expect(types('deep/types.d.ts')).toBe(types('src/rxauth.d.ts'))
  })

  it('writes the names of the running platform, or of the data if none runs', async () => {
    const platform = await dev(['--data', '.rxauth/data.sqlite'], { folder })
    await platform.ask('/team-permission-definitions', { method: 'POST', body: '{"id":"deploy"}' })
    expect(await rxauth(['types'])).toMatchObject({ code: 0, out: expect.stringContaining(`of ${platform.url}.`) })
    expect(types()).toContain("'deploy'")
    rmSync(join(folder, 'rxauth.d.ts'))
    await platform.stop()
    expect(await rxauth(['types'])).toMatchObject({ code: 0, out: expect.stringContaining('of the project.') })
    expect(types()).toContain("'deploy'")
  })
})
