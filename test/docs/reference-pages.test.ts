import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../package.json'
import { root } from './blocks'
import { anchorsIn, linksIn } from './links'
import { documentedNames } from './reference-examples'

describe('the API reference', () => {
  const pages = new Map<string, string>()

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'rxauth-reference-'))
    // TypeScript makes many objects: with the size of V8, an eighth of its time is lost.
    const args = ['--max-semi-space-size=64', join(__dirname, 'reference.mjs'), folder]
    execFileSync(process.execPath, args, { cwd: root })
    for (const page of readdirSync(folder)) pages.set(page, readFileSync(join(folder, page), 'utf8'))
    rmSync(folder, { recursive: true })
  })

  // Promise: api-reference
  it('is written into the package before it is packed', () => {
    expect(manifest.scripts['api-docs']).toBe('node test/docs/reference.mjs dist/api')
    expect(manifest.scripts.prepack).toMatch(/^npm run build && npm run api-docs\b/)
    expect(manifest.files).toContain('dist')
  })

  // Promise: api-reference
  it('has each exported name once in its index, and on one page', () => {
    const names = [...new Set(documentedNames().map(({ name }) => name))].sort()
    const links = [...pages.get('README.md')!.matchAll(/\[`([\w$]+)`\]\(([\w-]+\.md)#/g)]
    expect(links.map(([, name]) => name).sort()).toEqual(names)
    const headings = new Map(
      [...pages].map(([page, text]) => [page, [...text.matchAll(/^### (?:\w+ )*([\w$]+)/gm)].map(([, name]) => name)]),
    )
    const misplaced = links.filter(
      ([, name, page]) =>
        [...headings]
          .filter(([, all]) => all.includes(name))
          .map(([at]) => at)
          .join() !== page,
    )
    expect(misplaced.map(([, name]) => name)).toEqual([])
  })

  // Promise: api-reference
  it('has links that lead to pages and headings that exist', () => {
    const anchors = new Map([...pages].map(([page, text]) => [page, anchorsIn(text)]))
    const broken = [...pages].flatMap(([page, text]) =>
      linksIn(text).filter(({ target }) => {
        const [path = '', anchor] = target.split('#')
        if (/^https?:/.test(target)) return false
        const aim = anchors.get(path === '' ? page : path)
        return !aim || (anchor !== undefined && !aim.has(anchor))
      }),
    )
    expect(broken).toEqual([])
  })

  // Promise: api-reference
  it('lists the requests of the kit, with the release that has them', () => {
    const lines = pages.get('endpoints.md')!.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'GET /users/me client',
        'GET /emails/outbox server (2026)',
        'GET /internal/metrics admin',
      ]),
    )
    expect(lines).toContain('GET /internal/metrics admin: include_anonymous')
  })

  it('is on pages of limited length, and adds less than 137 KB to the package', () => {
    const lengths = [...pages].map(([page, text]) => [page, text.split('\n').length])
    expect(lengths.filter(([, lines]) => Number(lines) > 2000)).toEqual([])
    expect(gzipSync([...pages.values()].join('')).length).toBeLessThan(137_000)
  })
})
