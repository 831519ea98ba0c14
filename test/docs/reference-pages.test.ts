import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'

const kept = join(root, 'docs/api')

const pagesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .sort()

describe('the API reference', () => {
  const folder = process.env['RXAUTH_WRITE'] ? kept : join(root, '.tmp/api-reference-now')

  beforeAll(() => {
    execFileSync(process.execPath, [join(__dirname, 'reference.mjs'), folder], { cwd: root })
  })

  it('has the same pages by topic', () => {
    expect(pagesOf(kept)).toEqual(pagesOf(folder))
  })

  it('is on pages of limited length', () => {
    const lengths = pagesOf(folder).map(page => [page, readFileSync(join(folder, page), 'utf8').split('\n').length])
    expect(lengths.filter(([, lines]) => Number(lines) > 2000)).toEqual([])
  })

  it.each(pagesOf(kept))('docs/api/%s matches the docstrings; to update it: npm run api-docs', page => {
    expect(readFileSync(join(kept, page), 'utf8')).toBe(readFileSync(join(folder, page), 'utf8'))
  })
})
