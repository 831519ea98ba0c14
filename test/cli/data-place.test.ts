import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataPlace, keepFromGit, openData } from '../../src/cli/data-place'

const folders = { folder: '/shop/apps/web', project: '/shop' }

it.each([
  [
    'nothing',
    undefined,
    { file: null, config: {} },
    { kind: 'file', path: '/shop/.rxauth/data.sqlite', isDefault: true },
  ],
  ['memory', 'memory', { file: null, config: { data: 'x' } }, { kind: 'memory' }],
  ['memory in the configuration', undefined, { file: '/shop/c.json', config: { data: 'memory' } }, { kind: 'memory' }],
  [
    'a file',
    'own.sqlite',
    { file: '/shop/c.json', config: { data: 'x' } },
    { kind: 'file', path: '/shop/apps/web/own.sqlite', isDefault: false },
  ],
  [
    'a file in the configuration',
    undefined,
    { file: '/shop/conf/c.json', config: { data: 'x' } },
    { kind: 'file', path: '/shop/conf/x', isDefault: false },
  ],
  ['a whole path', '/data/x', { file: null, config: {} }, { kind: 'file', path: '/data/x', isDefault: false }],
] as const)('where %s is asked for', (_, asked, loaded, place) => {
  expect(dataPlace(asked, loaded, folders)).toEqual(place)
})

it('a new folder gets a .gitignore, unless it has one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-git-'))
  try {
    keepFromGit(join(folder, 'a/b'))
    expect(readFileSync(join(folder, 'a/b/.gitignore'), 'utf8')).toBe('*\n')
    writeFileSync(join(folder, 'a/b/.gitignore'), 'mine')
    keepFromGit(join(folder, 'a/b'))
    expect(readFileSync(join(folder, 'a/b/.gitignore'), 'utf8')).toBe('mine')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

// Promise: data-without-install
it('the SQLite of Node is used where there is one, without a package', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-own-'))
  // Node 20 has none: both libraries read the same files.
  jest.spyOn(process, 'getBuiltinModule').mockReturnValue({ DatabaseSync: jest.requireActual('libsql') })
  jest.resetModules().doMock('libsql', () => {
    throw new Error('not installed')
  })
  try {
    const place = { kind: 'file', path: join(folder, 'data.sqlite'), isDefault: true } as const
    const { platform, file, sqlite } = await openData(place, {}, true)
    platform.dispose()
    expect([file, sqlite]).toEqual([place.path, 'node:sqlite'])
  } finally {
    jest.restoreAllMocks()
    jest.dontMock('libsql')
    rmSync(folder, { recursive: true })
  }
})

describe('where no SQLite can be loaded', () => {
  const place = { kind: 'file', path: join(tmpdir(), 'rxauth-never-made/data.sqlite'), isDefault: true } as const
  const missing = (code: string) => Object.assign(new Error("Cannot find package 'libsql'"), { code })
  const install = 'npm install --save-dev libsql, or use Node 22.13 or newer'

  beforeEach(() => jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined))
  afterEach(() => jest.dontMock('libsql').restoreAllMocks())

  it.each([
    ['missing for an import', missing('ERR_MODULE_NOT_FOUND'), install],
    ['missing for a require', missing('MODULE_NOT_FOUND'), install],
    [
      'built for another machine',
      Object.assign(new Error('invalid ELF header'), { code: 'ERR_DLOPEN_FAILED' }),
      'the package libsql cannot be loaded: invalid ELF header',
    ],
    ['broken', new Error('no such symbol'), 'the package libsql cannot be loaded: no such symbol'],
  ])('since it is %s, the data is in memory, with the advice for it', async (_, error, howToKeep) => {
    jest.resetModules().doMock('libsql', () => {
      throw error
    })
    expect(await openData(place, {}, true)).toMatchObject({ file: null, isNew: true, howToKeep })
    await expect(openData(place, {})).rejects.toThrow(/needs Node 22.13 or newer, or the package libsql/)
  })
})
