import { build } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json'
import { wires } from '../../src/platform/model/release'
import { root } from './blocks'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/compatibility.md')
const rows = new Map(
  [...page.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(([, name, from, run]) => [name, [from, run]]),
)

const packages: Readonly<Record<string, string>> = manifest.devDependencies
/** What the folders of other versions install: `test/react-18`. */
const folders = manifest.workspaces.map(
  folder =>
    (JSON.parse(read(`${folder}/package.json`)) as { readonly dependencies?: Readonly<Record<string, string>> })
      .dependencies ?? {},
)

/** `20.2, 21` of `^20.2.0 || ^21.0.0`. */
const floors = (range: string) => range.replace(/[\^~]|>=|(?:\.0)+(?= |$)/g, '').replaceAll(' || ', ', ')
/** `18, 19`, or with the minor version `5.4, 6.0`, of all versions of a package that the tests install. */
function tested(name: string, hasMinor = false): string {
  const all = [packages, ...folders]
    .flatMap(each => each[name] ?? [])
    .map(version => version.replace(/[\^~]/g, '').split('.'))
  const cut = all.map(([major, minor]) => (hasMinor || major === '0' ? `${major!}.${minor!}` : major!))
  return [...new Set(cut)].sort((left, right) => Number(left) - Number(right)).join(', ')
}

describe('the supported versions in docs/compatibility.md', () => {
  const peers = manifest.peerDependencies
  const nodes = /node: \[(.*)\]/.exec(read('.github/workflows/ci.yml'))?.[1]
  const typescripts = tested('typescript', true)

  // Promise: compatibility-page
  it.each<[string, string, string | undefined]>([
    ['Node', floors(manifest.engines.node), nodes],
    ['TypeScript', typescripts.split(', ')[0]!, typescripts],
    ['React', floors(peers.react), tested('react')],
    ['Angular', floors(peers['@angular/core']), tested('@angular/core')],
    ['RxJS', floors(peers.rxjs), [packages['rxjs-oldest'], packages['rxjs']].join(', ').replace(/\^|npm:rxjs@/g, '')],
    ['releases of the platform', wires[0], wires.join(', ')],
  ])('of %s are those of package.json, the tests and CI', (name, from, run) => {
    expect(rows.get(name)).toEqual([from, run])
  })

  it.each(Object.entries(peers).filter(([name]) => !/^(@angular\/.*|react|react-dom|rxjs)$/.test(name)))(
    'of %s are those of package.json',
    (name, range) => {
      expect(rows.get(`\`${name}\``)).toEqual([floors(range), tested(name)])
    },
  )

  it('are one for all packages of React and of Angular', () => {
    expect(peers['react-dom']).toBe(peers.react)
    expect(new Set([peers['@angular/common'], peers['@angular/core'], peers['@angular/router']]).size).toBe(1)
  })

  it('of bundlers and test runners are those that the tests run', () => {
    const named = {
      webpack: 'webpack',
      vite: 'Vite',
      next: 'Next.js',
      'react-router': 'React Router',
      '@sveltejs/kit': 'SvelteKit',
      jest: 'Jest',
      vitest: 'Vitest',
    }
    const text = page.replace(/\s+/g, ' ')
    const missing = Object.entries(named).filter(([name, title]) => !text.includes(`${title} ${tested(name)}`))
    expect(missing).toEqual([])
  })

  // Promise: compatibility-page
  it('of browsers need nothing of the syntax rewritten', async () => {
    const [, versions = ''] = /\*\*Browsers\*\*: (.*?)\(/s.exec(page) ?? []
    const numbers = versions.match(/\d+(\.\d+)?/g)!
    const named = ['chrome', 'firefox', 'safari'].map((browser, index) => `${browser}${numbers[index]!}`)
    expect(numbers).toHaveLength(3)
    expect(await bundle(named)).toBe(await bundle(['chrome140', 'firefox140', 'safari26']))
    expect(await bundle(['safari14.1'])).not.toBe(await bundle(named))
    // The compiler refuses a newer built-in object or method.
    expect(read('tsconfig.json')).toContain('"lib": ["ES2022", "ESNext.Disposable", "DOM')
  })
})

describe('the supported versions in other places', () => {
  it('are the same ones in SECURITY.md', () => {
    const policy = 'are released for the latest minor version'
    expect(page.replace(/\s+/g, ' ')).toContain(policy)
    expect(read('SECURITY.md')).toContain(policy)
  })

  it('are the same ones in README.md and in the guide', () => {
    const [node, typescript] = [rows.get('Node')![0]!, rows.get('TypeScript')![0]!]
    expect(read('README.md')).toContain(`Node ${node} or newer`)
    for (const file of ['README.md', 'docs/getting-started.md'])
      expect(read(file)).toContain(`TypeScript ${typescript} or newer`)
  })

  it('have a workspace for each folder of an older or a newer version', () => {
    const named = readdirSync(join(root, 'test')).filter(name => /-\d+(\.\d+)?$/.test(name))
    expect(manifest.workspaces).toEqual(expect.arrayContaining(named.map(name => `test/${name}`)))
  })
})

/** A client app with React for these browsers. */
async function bundle(target: string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export * from 'rxauth'\nexport * from 'rxauth/react'\n", resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    target,
    external: ['react', 'react-dom'],
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}
