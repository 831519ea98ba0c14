import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { runNode, type Program } from '../browser/example'
import { blocksOf } from '../docs/pasted'
import { configurationOf, type Changes, type ConfiguredName } from './configured'
import { localProject } from '../../src/core/defaults'

const root = join(__dirname, '../..')
const bin = (path: string) => join(root, 'node_modules', path)
const serve = join(__dirname, 'serve.mjs')

/** The address that the pages are built with: the browser of the tests maps it to the platform of the test. */
export const publicAddress = 'http://localhost:8102'

/** What may be in a page. The rest reaches the servers when they start. */
const publicEnv = {
  NEXT_TELEMETRY_DISABLED: '1',
  NEXT_PUBLIC_BROWSER_STACK_API_URL: publicAddress,
  NEXT_PUBLIC_STACK_PROJECT_ID: localProject.projectId,
  VITE_STACK_API_URL: publicAddress,
  VITE_STACK_PROJECT_ID: localProject.projectId,
}

/** The mode in which an app runs: as its users have it, or as its authors do. */
export type Mode = 'production' | 'development'

const nextCommands = {
  build: [bin('next/dist/bin/next'), 'build'],
  production: [bin('next/dist/bin/next'), 'start', '--port', '0', '--hostname', '127.0.0.1'],
  development: [bin('next/dist/bin/next'), 'dev', '--port', '0', '--hostname', '127.0.0.1'],
}

/** The apps, each as its framework builds and serves it. */
const apps = {
  next: nextCommands,
  'next-interrupts': nextCommands,
  'next-cached': nextCommands,
  'next-streamed': nextCommands,
  'react-router': {
    build: [bin('@react-router/dev/bin.js'), 'build'],
    production: [serve, 'react-router'],
    development: [bin('@react-router/dev/bin.js'), 'dev', '--port', '0', '--host', '127.0.0.1'],
  },
  sveltekit: {
    build: [bin('vite/bin/vite.js'), 'build'],
    production: [serve, 'sveltekit'],
    development: [bin('vite/bin/vite.js'), 'dev', '--port', '0', '--host', '127.0.0.1'],
  },
}

const streamed = {
  'app/layout.tsx': [['header={<Bar />}', 'header={<Bar />} fallback={<nav>One moment …</nav>}']],
} satisfies Changes
const interrupts = 'experimental: { authInterrupts: true }'
const caches = 'cacheComponents: true, partialPrefetching: true, reactCompiler: true'
const pages = ['account', 'sign-in', 'reports', 'teams/[teamId]', 'handler/magic-link-callback'] as const
const blocking = '\nexport const instant = false\n'

/** The app of the guide for Next.js under other settings: what it adds to files, or replaces in them. */
const variants: Readonly<Partial<Record<string, Changes>>> = {
  'next-interrupts': {
    'next.config.ts': `export default { ${interrupts} }`,
    'app/forbidden.tsx': "export { default } from './forbidden/page'\n",
  },
  // The HTML of each page is complete.
  'next-cached': {
    'next.config.ts': `export default { ${caches} }`,
    ...Object.fromEntries(
      ['layout', ...pages.map(page => `${page}/page`)].map(file => [
        `app/${file}.tsx`,
        [['export default', `${blocking}export default`] as const],
      ]),
    ),
  },
  'next-streamed': {
    'next.config.ts': `export default { ${caches}, ${interrupts} }`,
    'app/forbidden.tsx': "export { default } from './forbidden/page'\n",
    ...streamed,
    ...Object.fromEntries(
      pages.map(page => [
        `app/${page}/loading.tsx`,
        'export default function Loading() {\n  return <p>One moment …</p>\n}\n',
      ]),
    ),
  },
}

export type Framework = keyof typeof apps | ConfiguredName
export const frameworks = Object.keys(apps) as (keyof typeof apps)[]

/** Those that have a guide. */
export const guided = frameworks.filter(name => !(name in variants))

const guideOf = (name: string) => `docs/guides/${name}.md`

/** The files of an app, as its guide shows them: a folder beside this file has those that the tool of the framework writes. */
export function shownFiles(name: string): Readonly<Record<string, string>> {
  const shown = blocksOf(guideOf(name)).filter(({ words }) => !/ (instead|when):/.test(words))
  return Object.fromEntries(shown.flatMap(({ file, code }) => (file ? [[file, code]] : [])))
}

/** The commands of an app, with what is configured. */
function commandsOf(name: Framework): Readonly<Record<Mode | 'build', readonly string[]>> {
  const configuration = configurationOf(name)
  if (!configuration) return apps[name as keyof typeof apps]
  const { of, built = [], served } = configuration
  const { build, production, development } = apps[of]
  return { build: [...build, ...built], production: served ? [serve, served] : production, development }
}

/**
 * Writes the apps that have changed since they were written, or all if the package has, and returns the folder with all of
 * them. Not below `node_modules`, where bundlers take what they find for finished. Configured ones are written when they are built.
 */
export async function writeApps(): Promise<string> {
  const folder = join(root, '.tmp/frameworks')
  const installed = join(folder, 'node_modules/rxauth')
  const packageHash = hashOf(join(root, 'dist'), join(root, 'package-lock.json'), __filename)
  if (!(await isMarked(installed, 'written', packageHash))) {
    await rm(folder, { recursive: true, force: true })
    await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
    await cp(join(root, 'package.json'), join(installed, 'package.json'))
    await writeFile(join(installed, 'written'), packageHash)
  }
  for (const name of frameworks) await writeApp(folder, name)
  return folder
}

async function writeApp(folder: string, name: Framework): Promise<void> {
  const configuration = configurationOf(name)
  const { of = name in variants ? 'next' : name, changes = variants[name] ?? {}, moves = {} } = configuration ?? {}
  const source = join(__dirname, of)
  const own = ['configured.ts', 'languages.ts'].map(file => join(__dirname, file))
  const hash = hashOf(source, join(root, guideOf(of)), ...own)
  const app = join(folder, name)
  if (await isMarked(app, 'written', hash)) return
  await rm(app, { recursive: true, force: true })
  await mkdir(app)
  await cp(source, app, { recursive: true })
  await writeFiles(app, shownFiles(of))
  // Browsers with a window ask for it, and each create tool makes one.
  const files = join(app, of === 'sveltekit' ? 'static' : 'public')
  await mkdir(files)
  await writeFile(join(files, 'favicon.ico'), '')
  for (const [path, change] of Object.entries(changes)) {
    await mkdir(dirname(join(app, path)), { recursive: true })
    const text = typeof change === 'string' ? change : await readFile(join(app, path), 'utf8')
    const replaced = typeof change === 'string' ? [] : change
    await writeFile(
      join(app, path),
      replaced.reduce((before, [from, to]) => before.replace(from, to), text),
    )
  }
  for (const [from, to] of Object.entries(moves)) {
    await mkdir(dirname(join(app, to)), { recursive: true })
    await rename(join(app, from), join(app, to))
  }
  if (of === 'next') {
    if (!configuration) await addScreens(folder, app)
    // The types are checked with those of all guides.
    await writeFile(join(app, 'next.config.ts'), withoutChecks(join(app, 'next.config.ts')))
  }
  await writeFile(join(app, 'written'), hash)
}

/** Runs `rxauth add` in an app of Next.js, with a package manager that does nothing: the repository has all packages. */
async function addScreens(folder: string, app: string): Promise<void> {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'npm'), '#!/bin/sh\n', { mode: 0o755 })
  const program = join(folder, 'node_modules/rxauth/dist/platform-bin.js')
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}` }
  const adding = runNode([program, 'add', 'sign-in', 'account', 'user-button', '--yes'], env, app)
  if ((await adding.ended).code !== 0) throw new Error(adding.output())
}

/** Builds an app, unless it is built already. */
export async function buildApp(folder: string, name: Framework): Promise<void> {
  await writeApp(folder, name)
  const app = join(folder, name)
  if (await isMarked(app, 'built', name)) return
  const build = runNode(commandsOf(name).build, { ...publicEnv, NODE_ENV: 'production' }, app)
  if ((await build.ended).code !== 0) throw new Error(build.output())
  await writeFile(join(app, 'built'), name)
}

/** An app that runs in a process of its own. */
export interface RunningApp {
  readonly address: string
  /** The errors and warnings that it has printed so far; those of the consoles of its pages too where a driver opens them. */
  problems(): string[]
  /** The bytes of its heap, after a collection. */
  heap(): Promise<number>
  stop(): Promise<void>
}

/** Starts a built app, or one in development mode; address and key of the platform reach its server when it starts. */
export function startApp(
  folder: string,
  name: Framework,
  platform: string,
  secret: string,
  mode: Mode = 'production',
): Promise<RunningApp> {
  const env = { NODE_ENV: mode, STACK_API_URL: platform, STACK_SECRET_SERVER_KEY: secret }
  return start(commandsOf(name)[mode], env, join(folder, name))
}

/** Writes the files of an app, each by its path, and starts Vite for it in development mode. */
export async function startVite(folder: string, name: string, files: Readonly<Record<string, string>>) {
  const app = join(folder, name)
  await rm(app, { recursive: true, force: true })
  await writeFiles(app, files)
  return start(apps.sveltekit.development, { NODE_ENV: 'development' }, app)
}

async function writeFiles(app: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(app, path)), { recursive: true })
    await writeFile(join(app, path), text)
  }
}

async function start(command: readonly string[], env: object, folder: string): Promise<RunningApp> {
  const args = ['--expose-gc', '--import', join(__dirname, 'heap.mjs'), ...command]
  const program = runNode(args, { ...publicEnv, ...env }, folder)
  // A server behind a proxy prints its own address, too.
  const word = command[0] === serve ? 'Listening' : 'Local'
  const [, address] = await program.printed(new RegExp(`${word}: +(http:\\/\\/[\\w.:]+)`))
  let times = 0
  return {
    address: address!,
    problems: () => problemsOf(program),
    async heap() {
      const printed = program.printed(new RegExp(`heap ${++times}: (\\d+)`))
      program.kill('SIGUSR2')
      return Number((await printed)[1])
    },
    async stop() {
      program.kill('SIGTERM')
      await program.ended
    },
  }
}

/** The lines that are an error or a warning of an app. */
function problemsOf(program: Program): string[] {
  const lines = program.output().split('\n')
  const errors = new Set(program.errors().split('\n'))
  return lines.filter(line => line !== '' && (errors.has(line) || /error|warn|⚠/i.test(line)) && !notices.test(line))
}

/** Version 7 of React Router starts Vite 8 with an option of before; Next.js measures the machine, and says so in two lines. */
const notices =
  /^The `envFile` option is deprecated|Slow filesystem detected|^See more: https:\/\/nextjs\.org\/docs\/app\/guides\/local-development$/

async function isMarked(folder: string, mark: 'written' | 'built', text: string): Promise<boolean> {
  return (await readFile(join(folder, mark), 'utf8').catch(() => '')) === text
}

function withoutChecks(config: string): string {
  const text = readFileSync(config, 'utf8').replace('export default', 'const config =')
  const faster =
    'experimental: { ...("experimental" in config ? config.experimental as object : {}), turbopackFileSystemCacheForBuild: false }'
  return `${text}\nexport default { ...config, typescript: { ignoreBuildErrors: true }, ${faster} }\n`
}

/** Of all files of these folders, and of the other files. */
function hashOf(...paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    if (!existsSync(path)) throw new Error(`${path} is missing; npm run build writes dist`)
    const isFolder = !/\.\w+$/.test(path)
    const files = isFolder ? readdirSync(path, { recursive: true, withFileTypes: true }) : []
    const names = isFolder ? files.filter(file => file.isFile()).map(file => join(file.parentPath, file.name)) : [path]
    for (const name of names.sort()) hash.update(name).update(readFileSync(name))
  }
  return hash.digest('hex')
}
