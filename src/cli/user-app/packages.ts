import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dependenciesIn, rangeOf, readManifest } from './manifest'
import type { Manifest } from './manifest'

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The manager of each lock file. The first one found in a folder counts: other managers import the file of npm, and leave it there. */
const locks: Readonly<Record<string, Manager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
}

/** The package manager: of `packageManager`, of the nearest lock file upwards, of the program that runs this one, or npm. */
export function managerOf(folder: string, manifest: Manifest, agent = ''): Manager {
  const named = (text: unknown) =>
    typeof text === 'string' ? (/^(?:npm|pnpm|yarn|bun)\b/.exec(text)?.[0] as Manager | undefined) : undefined
  const own = named(manifest.value['packageManager'])
  if (own) return own
  for (const at of upwards(folder)) {
    const lock = Object.keys(locks).find(name => existsSync(join(at, name)))
    if (lock !== undefined) return locks[lock] ?? 'npm'
  }
  return named(agent) ?? 'npm'
}

/** The commands that install what is missing of these packages, which may have a version; none if nothing is. */
export function installs(
  folder: string,
  manifest: Manifest,
  manager: Manager,
  { packages, devPackages }: { readonly packages: readonly string[]; readonly devPackages: readonly string[] },
): string[][] {
  const known = dependenciesIn(manifest)
  const missing = (names: readonly string[]) => names.filter(name => !known.has(nameOf(name)))
  const [add, dev] = { npm: ['install', '--save-dev'], pnpm: ['add', '-D'], yarn: ['add', '-D'], bun: ['add', '-d'] }[
    manager
  ] as [string, string]
  const commands = [
    { flags: [] as string[], names: missing(packages) },
    { flags: [dev], names: missing(devPackages) },
  ].flatMap(({ flags, names }) => (names.length > 0 ? [[manager, add, ...flags, ...names]] : []))
  if (commands.length > 0) return commands
  // A new app may have been written without its packages.
  const isThere = [...packages, ...devPackages].every(name => isInstalled(folder, nameOf(name)))
  return isThere ? [] : [[manager, 'install']]
}

/** The name without the version of `wouter@3`. */
function nameOf(text: string): string {
  return text.replace(/(?!^)@.*/, '')
}

/**
 * Throws if the app has an older major version of a package: the installed one, or that of package.json. One that neither tells,
 * as of a tag, is taken for new enough.
 */
export function requireVersion(
  folder: string,
  manifest: Manifest,
  {
    name,
    title,
    oldest,
    by,
  }: { readonly name: string; readonly title: string; readonly oldest: number; readonly by: string },
): void {
  const file = upwards(folder)
    .map(at => join(at, 'node_modules', name, 'package.json'))
    .find(existsSync)
  const installed = file === undefined ? undefined : readManifest(readFileSync(file, 'utf8')).value['version']
  const version = typeof installed === 'string' ? installed : rangeOf(manifest, name)
  const major = /^[\^~=v]*(\d+)(?:\.[\w.+-]*)?$/.exec(version ?? '')?.[1]
  if (major !== undefined && Number(major) < oldest)
    throw new Error(`${by} ${title} ${oldest}, and this app has ${version}`)
}

function isInstalled(folder: string, name: string): boolean {
  // Yarn may keep packages without a folder for them.
  return upwards(folder).some(
    at => existsSync(join(at, 'node_modules', name, 'package.json')) || existsSync(join(at, '.pnp.cjs')),
  )
}

function upwards(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}
