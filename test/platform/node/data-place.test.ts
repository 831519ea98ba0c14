import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataPlace, keepFromGit } from '../../../src/platform/node/data-place'

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

it('a folder is kept from git, unless it says something else itself', () => {
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
