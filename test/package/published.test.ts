import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json'
import { root } from './sources'

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

describe('the package as it is published', () => {
  let folder: string
  let packed: Packed

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rxauth-published-'))
    const said = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    packed = (JSON.parse(said) as [Packed])[0]
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('names the addresses of its sources, issues and pages', () => {
    const home = 'https://github.com/rxauth/rxauth'
    expect(manifest).toMatchObject({
      homepage: `${home}#readme`,
      bugs: { url: `${home}/issues` },
      repository: { type: 'git', url: `git+${home}.git` },
      license: 'MIT',
    })
    expect(manifest.author).toMatch(/\S/)
  })

  it('has the licence, the readme and the changelog in it', () => {
    const paths = packed.files.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json']))
  })

  it('has types that every module resolution finds, each for the module beside it', () => {
    const said = execFileSync(process.execPath, [join(__dirname, 'wrong-types.mjs'), join(folder, packed.filename)], {
      cwd: root,
      encoding: 'utf8',
    })
    const { entries, problems } = JSON.parse(said) as { entries: string[]; problems: unknown[] }
    expect(entries).toEqual(Object.keys(manifest.exports))
    expect(problems).toEqual([])
  })

  it('is checked on every push by the parts that a contributor runs', () => {
    const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
    // test/setup/parts.test.ts checks that no part is left out.
    expect(workflow).toMatch(/^ {6}- run: npm ci\n {6}- run: node test\/run\.mjs --only \$\{\{ matrix\.part \}\}$/m)
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/^npm ci\nnpm test$/m)
  })
})
