import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as admin from 'rxauth/admin'
import * as client from 'rxauth'
import * as platform from 'rxauth/platform'
import * as node from 'rxauth/platform/node'
import * as react from 'rxauth/react'
import * as server from 'rxauth/server'
import manifest from '../../package.json'
import { root } from './blocks'
import { linksIn, pagesOfDocs } from './links'
import { blocksOf } from './pasted'

const entries: Readonly<Record<string, object>> = {
  rxauth: client,
  'rxauth/react': react,
  'rxauth/server': server,
  'rxauth/admin': admin,
  'rxauth/platform': platform,
  'rxauth/platform/node': node,
}

const guides = readdirSync(join(root, 'docs/guides')).filter(name => name.endsWith('.md'))

describe('what is written before the package is packed', () => {
  let folder: string
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rxauth-package-docs-'))
    execFileSync(process.execPath, [join(__dirname, 'package-docs.mjs'), folder])
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('is written by prepack', () => {
    expect(manifest.scripts.prepack.split(' && ')).toContain('node test/docs/package-docs.mjs .')
    expect(manifest.files).toEqual(expect.arrayContaining(['dist', 'llms.txt', 'AGENTS.md']))
  })

  it('is at most 25,000 bytes, gzipped', () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
    expect(gzipSync(Buffer.concat(texts)).length).toBeLessThan(25_000)
  })

  it.each(guides)('has the files of docs/guides/%s as an example', guide => {
    const files = blocksOf(`docs/guides/${guide}`).filter(
      ({ words }) => / file:/.test(words) && !/ (instead|when):/.test(words),
    )
    const example = `dist/examples/${guide.replace('.md', '')}`
    for (const { file, code } of files) expect(read(join(example, file!))).toBe(code)
    expect(existsSync(join(folder, example))).toBe(files.length > 0)
  })

  it('has a list of the pages, for programs: a title, a summary and links with a line each', () => {
    const text = read('llms.txt')
    expect(text).toMatch(/^# rxauth\n\n> \S.+\n\n/)
    const targets = linksIn(text).flatMap(({ target }) => (/^https:/.test(target) ? [] : [target]))
    expect(targets.filter(target => !existsSync(join(root, target)))).toEqual([])
    const pages = pagesOfDocs().filter(page => !/contributing|README|index\.md/.test(page))
    expect(pages.filter(page => !targets.includes(page))).toEqual([])
  })
})

describe('AGENTS.md', () => {
  const text = readFileSync(join(root, 'AGENTS.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `(rxauth[\w/]*)` +\|[^|]*\|(.*)\|$/gm)].map(([, entry = '', names = '']) => ({
    entry,
    names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  }))

  it('names every entry that an app imports', () => {
    const all = Object.keys(manifest.exports).map(path => path.replace('.', 'rxauth').replace('rxauth/', 'rxauth/'))
    const imported = all.filter(entry => !/package\.json|jest/.test(entry))
    expect(rows.map(({ entry }) => entry).sort()).toEqual(imported.sort())
  })

  // Promise: agents-addresses
  it('has addresses that answer: of each `curl`, with what it names of the answer', async () => {
    const local = platform.createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
    await client.createClientApp({ ...local.options, tokens: client.memoryTokens() }).sendPasswordResetEmail({
      email: 'ada@example.com',
      callbackUrl: 'http://localhost:3000/handler/password-reset',
    })
    const calls = [...text.matchAll(/`curl (http\S+?)(?: --json '(.*?)')?`(?:: (.*?))? *\|/g)]
    expect(calls).toHaveLength(6)
    for (const [, url = '', json, named = ''] of calls) {
      const sent =
        json === undefined ? {} : { method: 'POST', body: json, headers: { 'content-type': 'application/json' } }
      const response = await local.fetch(new Request(url, sent))
      expect([url, response.ok]).toEqual([url, true])
      const answer = await response.text()
      for (const [, name] of named.matchAll(/`(?:items\[0\]\.)?(\w+)`/g)) expect(answer).toContain(`"${name}":`)
    }
  })

  it.each(rows.filter(({ entry }) => entry in entries))('names what $entry exports', ({ entry, names }) => {
    expect(names.filter(name => !(name in entries[entry]!))).toEqual([])
  })
})
