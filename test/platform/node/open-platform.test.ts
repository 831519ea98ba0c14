import Database from 'libsql'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClientApp, memoryTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { openPlatform } from 'rxauth/platform/node'
import { DataFile } from '../../../src/platform/node/data-file'
import type { Platform, PlatformOptions } from 'rxauth/platform'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }

let folder: string
let file: string
const opened = new Set<Platform>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-data-'))
  file = join(folder, 'deep/down/data.db')
})

afterEach(() => {
  for (const platform of opened) platform.dispose()
  opened.clear()
  rmSync(folder, { recursive: true })
})

/** The file, opened by another program. */
function damage(change: (database: Database.Database) => void): void {
  const database = new Database(file)
  change(database)
  database.close()
}

async function open(options: PlatformOptions = {}): Promise<Platform> {
  const platform = await openPlatform({ seed: { users: [ada] }, ...options, file })
  opened.add(platform)
  return platform
}

function close(platform: Platform): void {
  opened.delete(platform)
  platform.dispose()
}

function clientOf(platform: Platform) {
  return createClientApp({ ...platform.options, tokens: memoryTokens() })
}

async function namesIn(platform: Platform): Promise<(string | null)[]> {
  const { items } = await createServerApp(platform.serverOptions).users$().get()
  return items.map(({ displayName }) => displayName)
}

async function signUp(platform: Platform, email: string): Promise<void> {
  const app = clientOf(platform)
  await app.signUpWithPassword({ email, password: 'battery staple', verificationCallbackUrl: 'http://localhost/v' })
  await app.updateUser({ displayName: email })
  app.dispose()
}

describe('a platform on a file', () => {
  it('keeps the rows of its last run in their order, and is not seeded again', async () => {
    const first = await open()
    const tokens = await first.tokensFor(ada.email)
    const app = createClientApp({ ...first.options, tokens })
    const names = Array.from({ length: 12 }, (_, index) => `user-${String(index)}@example.com`)
    for (const name of names) await signUp(first, name)
    await app.updateUser({ displayName: 'Lovelace' })
    close(first)
    const second = await open()
    expect(await namesIn(second)).toEqual(['Lovelace', ...names])
    // The session and the key that signed its token are the same.
    expect(await createClientApp({ ...second.options, tokens }).user$.get()).toMatchObject({ displayName: 'Lovelace' })
  })

  it('reads rows in their order, many at a time, whatever was deleted or written again between them', () => {
    const journal = new DataFile(Database, file)
    const put = (index: number, value: string) => {
      const [projectId, table] = [[null, 'mails'] as const, ['shop', 'users'] as const, ['shop', 'teams'] as const][
        index % 3
      ]!
      return { projectId, table, id: `id-${index}`, row: { id: `id-${index}`, value } }
    }
    const count = 3_000
    journal.onCommit(Array.from({ length: count }, (_, index) => put(index, '["{}", 1]')))
    journal.onCommit(Array.from({ length: 600 }, (_, index) => ({ ...put(1_000 + index, ''), row: null })))
    journal.onCommit([put(7, 'written "again"'), put(1_001, 'put in last')])
    journal.complete()
    const parse = jest.spyOn(JSON, 'parse')
    const { shared, projects } = journal.read()!
    expect(parse.mock.calls.length).toBeLessThan(count / 50)
    parse.mockRestore()
    journal.close()
    const expected = (rest: number) => [
      ...Array.from({ length: count }, (_, index) => index)
        .filter(index => index % 3 === rest && (index < 1_000 || index >= 1_600))
        .map(index => put(index, index === 7 ? 'written "again"' : '["{}", 1]').row),
      ...(rest === 1_001 % 3 ? [put(1_001, 'put in last').row] : []),
    ]
    expect(shared).toEqual({ mails: expected(0) })
    expect(projects).toEqual({ shop: { users: expected(1), teams: expected(2) } })
  })

  it('forgets what was deleted, and nothing else', async () => {
    const first = await open()
    await signUp(first, 'grace@example.com')
    const server = createServerApp(first.serverOptions)
    const [user] = (await server.users$().get()).items
    await server.deleteUserById({ userId: user!.id })
    close(first)
    expect(await namesIn(await open())).toEqual(['grace@example.com'])
  })

  it('stores no write of a refused request', async () => {
    const first = await open()
    const taken = { ...ada, verificationCallbackUrl: 'http://localhost/v' }
    expect(await clientOf(first).signUpWithPassword(taken)).toMatchObject({ ok: false })
    close(first)
    expect(await namesIn(await open())).toEqual(['Ada'])
  })

  it('stores the rows of `restore`, and none of a fork', async () => {
    const first = await open()
    const before = first.snapshot()
    await signUp(first, 'grace@example.com')
    await signUp(first.fork(), 'joan@example.com')
    expect(await namesIn(first)).toHaveLength(2)
    first.restore(before)
    await signUp(first, 'mary@example.com')
    close(first)
    expect(await namesIn(await open())).toEqual(['Ada', 'mary@example.com'])
  })

  it('plants its seed again if it was planted in part', async () => {
    close(await open())
    damage(database => database.exec('DELETE FROM facts'))
    expect(await namesIn(await open({ seed: { users: [{ displayName: 'Grace' }] } }))).toEqual(['Grace'])
  })

  it('refuses a file that another platform has open', async () => {
    const first = await open()
    await expect(open()).rejects.toThrow(`${file} is open in another process`)
    close(first)
    expect(await namesIn(await open())).toEqual(['Ada'])
  })

  // Promise: secret-files
  it('lets only its owner read it and its log, also where an older version let others', async () => {
    // It has no such modes.
    if (process.platform === 'win32') return
    const modes = () => {
      const names = readdirSync(dirname(file)).sort()
      return names.map(name => [name, (statSync(join(dirname(file), name)).mode & 0o777).toString(8)])
    }
    const first = await open()
    const [own, log] = [
      ['data.db', '600'],
      ['data.db-wal', '600'],
    ]
    expect(modes()).toEqual([own, log])
    close(first)
    chmodSync(file, 0o644)
    await open()
    expect(modes()).toEqual([own, log])
  })

  it('refuses a file of another kind, and leaves it unchanged', async () => {
    close(await open())
    writeFileSync(file, 'a shopping list, longer than a header of a database file: milk, bread, butter'.repeat(2))
    await expect(open()).rejects.toThrow(/no data file of a local platform/)
    rmSync(file)
    damage(database => database.exec('CREATE TABLE lists (id TEXT)'))
    await expect(open()).rejects.toThrow(/SQLite file of another program/)
  })

  it.each([
    ['row', `UPDATE rows SET row = '{bad' WHERE "table" = 'users'`],
    ['table', 'DROP TABLE facts'],
  ])('refuses a file with a damaged %s, by its name', async (_what, change) => {
    close(await open())
    damage(database => database.exec(change))
    await expect(open()).rejects.toThrow(`${file} is no data file of a local platform, or it is damaged: `)
  })

  it('names the file that cannot be created, and what to do', async () => {
    writeFileSync(join(folder, 'deep'), '')
    const said = `^the data file ${file} cannot be opened or made: .*; choose another file, or keep the data in memory$`
    await expect(open()).rejects.toThrow(new RegExp(said))
    await expect(openPlatform({ file: folder })).rejects.toThrow(`the data file ${folder} cannot be opened or made`)
  })

  it('is closed on a full disk without an error', async () => {
    class Full extends Database {
      override exec(source: string): this {
        if (source === 'PRAGMA journal_mode = DELETE') throw new Error('database or disk is full')
        return super.exec(source)
      }
    }
    const data = new DataFile(Full, file)
    data.onCommit([{ projectId: null, table: 'projects', id: 'p', row: { id: 'p' } }])
    data.complete()
    expect(() => data.close()).not.toThrow()
  })

  it('refuses a file of a newer version, with what to do', async () => {
    close(await open())
    damage(database => database.pragma('user_version = 99'))
    await expect(open()).rejects.toThrow(/newer version of rxauth \(format 99.*update rxauth/)
  })
})
