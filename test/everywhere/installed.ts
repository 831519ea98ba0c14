import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import manifest from '../../package.json'
import { root } from '../package/sources'
import { fetched, output, versionIn } from './fetched'
import { wantRuns } from './programs'

/** A package manager that is ready. Commands begin with the program. */
interface Manager {
  readonly version: string
  readonly install: readonly string[]
  readonly tsc: readonly string[]
  readonly node: readonly string[]
  readonly typescript: string
  /** The version of a package of the workspace, in the package.json of another one. */
  readonly ofWorkspace: string
  /** Of the package.json of the workspace. */
  readonly resolutions?: Readonly<Record<string, string>>
  /** Its settings. */
  readonly files: Readonly<Record<string, string>>
}

const node = process.execPath
const npmProgram = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const ofModules = { tsc: [node, 'node_modules/typescript/bin/tsc'], node: [node], typescript: '7' }

/** The npm of this machine. */
async function npm(): Promise<Manager> {
  const version = await output(npmProgram, ['--version'], root)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  return { ...ofModules, version, install: [npmProgram, 'install', ...quiet], ofWorkspace: '*', files: {} }
}

/** Each package reaches what it depends on itself, and a missing peer is an error. */
async function pnpm(): Promise<Manager> {
  const folder = await fetched('pnpm', 'pnpm')
  const settings = {
    packages: ['packages/*'],
    hoist: false,
    strictPeerDependencies: true,
    autoInstallPeers: false,
    storeDir: join(folder, 'store'),
  }
  return {
    ...ofModules,
    version: versionIn(folder, 'pnpm'),
    install: [node, join(folder, 'node_modules/pnpm/bin/pnpm.mjs'), 'install', '--ignore-scripts'],
    ofWorkspace: 'workspace:*',
    // YAML contains JSON.
    files: { 'pnpm-workspace.yaml': JSON.stringify(settings) },
  }
}

/** Without node_modules: Node and TypeScript read archives, and refuse what a package does not declare. */
async function yarn(): Promise<Manager> {
  const folder = await fetched('yarn', '@yarnpkg/cli-dist')
  const program = [node, join(folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')]
  const settings = {
    nodeLinker: 'pnp',
    enableScripts: false,
    enableTelemetry: false,
    globalFolder: join(folder, 'global'),
  }
  return {
    version: versionIn(folder, '@yarnpkg/cli-dist'),
    install: [...program, 'install', '--no-immutable'],
    tsc: [...program, 'run', '--top-level', 'tsc'],
    node: [...program, 'node'],
    // Yarn teaches TypeScript to read archives, which the one in Go cannot learn.
    typescript: '6',
    ofWorkspace: 'workspace:*',
    // Each package that names an archive by its path gets a copy of its own, unlike those that name a version.
    resolutions: { rxauth: `file:./${archiveOf(manifest.version)}` },
    files: { '.yarnrc.yml': JSON.stringify(settings), 'yarn.lock': '' },
  }
}

export const managers = { npm, pnpm, yarn }

const source = (name: string) =>
  readFileSync(join(__dirname, `installed/${name}.ts`), 'utf8').replace("from './kit'", "from 'kit'")

const ways = [
  ['node16', { module: 'node16', moduleResolution: 'node16' }],
  ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
] as const

const json = (value: object) => JSON.stringify(value)

/**
 * Installs the packed package in both packages of a workspace, compiles each with its declarations in each way in which TypeScript
 * resolves modules, and runs the page. With `areTwo` the packages have different versions of rxauth.
 */
export async function runInstalled(manager: Manager, areTwo = false): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-installed-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = ([program = '', ...args]: readonly string[]) => output(program, args, folder, 2 * patienceOfCompilers)
  try {
    await pack(root, folder)
    if (areTwo) await packOther(folder)
    const of = (version: string) => ({
      rxauth: `file:../../${archiveOf(version)}`,
      rxjs: '7',
      react: '19',
      'react-dom': '19',
    })
    const typescript = {
      typescript: manager.typescript,
      '@types/node': '20',
      '@types/react': '19',
      '@types/react-dom': '19',
    }
    const shared = { version: '1.0.0', private: true, type: 'module' }
    const { resolutions } = manager
    write(
      'package.json',
      json({ ...shared, name: 'workspace', workspaces: ['packages/*'], devDependencies: typescript, resolutions }),
    )
    const packageOf = (name: string, more: object, dependencies: object) => {
      write(
        `packages/${name}/package.json`,
        json({ ...shared, ...more, name, dependencies, devDependencies: typescript }),
      )
    }
    packageOf('kit', { exports: { types: './dist/index.d.ts', default: './dist/index.js' } }, of(manifest.version))
    packageOf('page', {}, { kit: manager.ofWorkspace, ...of(areTwo ? otherVersion : manifest.version) })
    write('packages/kit/index.ts', source('kit'))
    write('packages/page/index.ts', source(areTwo ? 'mixed' : 'page'))
    for (const [path, text] of Object.entries(manager.files)) write(path, text)
    await run(manager.install)
    for (const [resolution, options] of ways) {
      for (const name of ['kit', 'page']) {
        rmSync(join(folder, `packages/${name}/dist`), { recursive: true, force: true })
        write(`packages/${name}/${resolution}.json`, json(configOf(options, name === 'page' ? [resolution] : [])))
      }
      await run([...manager.tsc, '--build', `packages/page/${resolution}.json`, '--pretty', 'false'])
      wantRuns(await run([...manager.node, 'packages/page/dist/index.js']))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Compilers check the declarations of all packages. */
const patienceOfCompilers = 100_000

const configOf = (options: object, references: readonly string[]) => ({
  compilerOptions: {
    ...options,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
    strict: true,
    exactOptionalPropertyTypes: true,
    composite: true,
    declaration: true,
    skipLibCheck: false,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
  },
  files: ['index.ts'],
  references: references.map(name => ({ path: `../kit/${name}.json` })),
})

const archiveOf = (version: string) => `rxauth-${version}.tgz`

/** Writes the archive of a package into the folder. */
async function pack(from: string, folder: string): Promise<void> {
  await output(npmProgram, ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], from)
}

const otherVersion = '0.0.1'

/** Writes an archive of the same files with another version. */
async function packOther(folder: string): Promise<void> {
  const copy = join(folder, 'other')
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  writeFileSync(join(copy, 'package.json'), json({ ...manifest, version: otherVersion }))
  await pack(copy, folder)
  rmSync(copy, { recursive: true })
}
