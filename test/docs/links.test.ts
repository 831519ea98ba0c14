import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './blocks'
import { anchorsIn, linksIn, pagesOfDocs } from './links'

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'AGENTS.md', ...pagesOfDocs()]
const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** The page or file that a relative link leads to; undefined: it leads out of the repository. */
function aimOf(
  page: string,
  target: string,
): { readonly file: string; readonly anchor: string | undefined } | undefined {
  if (/^[a-z]+:/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  return { file: path === '' ? page : normalize(join(dirname(page), path)), anchor }
}

/** The mistake in a link; undefined: none. */
function problemOf(page: string, target: string): string | undefined {
  const aim = aimOf(page, target)
  if (!aim) return /^(https?|mailto):/.test(target) ? undefined : 'is of no known kind'
  if (target.startsWith('/') || aim.file.startsWith('..')) return 'leaves the repository'
  // The build of the site writes the reference, and checks the links to it.
  if (aim.file.startsWith('docs/api/')) return undefined
  if (!existsSync(join(root, aim.file))) return `there is no ${aim.file}`
  if (aim.anchor === undefined) return undefined
  return anchorsIn(read(aim.file)).has(aim.anchor) ? undefined : `${aim.file} has no #${aim.anchor}`
}

describe('the links of README and docs', () => {
  it.each(pages)('of %s lead to pages and headings that exist', page => {
    const broken = linksIn(read(page)).flatMap(({ line, target }) => {
      const problem = problemOf(page, target)
      return problem === undefined ? [] : [`${page}:${line}: ${target}: ${problem}`]
    })
    expect(broken).toEqual([])
  })

  it('name every page in the index', () => {
    const index = linksIn(read('docs/README.md')).map(({ target }) => aimOf('docs/README.md', target)?.file)
    const written = pagesOfDocs().filter(page => /^docs\/((guides|coming-from|contributing)\/)?[^/]+$/.test(page))
    expect(written.filter(page => !/^docs\/(README|index)\.md$/.test(page) && !index.includes(page))).toEqual([])
  })

  it('show pictures that are small enough for a slow connection', () => {
    const pictures = pages.flatMap(page => linksIn(read(page)).map(({ target }) => aimOf(page, target)?.file ?? ''))
    const sizes = pictures
      .filter(file => /\.(png|webp|jpe?g|gif)$/.test(file))
      .map(file => [file, readFileSync(join(root, file)).length] as const)
    expect(sizes.map(([file]) => file)).toContain('docs/pictures/sign-in.png')
    expect(sizes.filter(([, size]) => size > 120_000)).toEqual([])
  })

  it('are in no table of README, which a phone would have to scroll', () => {
    expect(read('README.md')).not.toMatch(/^\|/m)
  })
})

describe('the reader of links', () => {
  it('finds links and pictures with their lines, and none in code', () => {
    const text = '# A\n[a](b.md) ![c](d.png)\n`[e](f)`\n```ts\n[g](h)\n```\n[i](j.md#k "title")\n[l]: m.md\n'
    expect(linksIn(text)).toEqual([
      { line: 2, target: 'b.md' },
      { line: 2, target: 'd.png' },
      { line: 7, target: 'j.md#k' },
      { line: 8, target: 'm.md' },
    ])
  })

  it('makes anchors as GitHub does', () => {
    const text =
      '# In `React`, too\n## An app, or a kit\n## EMAIL_PASSWORD_MISMATCH\n## Same\n## Same\n```sh\n# no\n```\n<a id="own"></a>\n'
    expect([...anchorsIn(text)]).toEqual([
      'in-react-too',
      'an-app-or-a-kit',
      'email_password_mismatch',
      'same',
      'same-1',
      'own',
    ])
  })
})
