import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FrameworkName } from '../commands'
import { appOf, fileAt, plain, requireAppRouter, requireChangeable, requireWritable, textAt } from '../user-app/place'
import { beginsApp, frameworks, readGuide, readTestFile, type GuideFile } from './guide'
import {
  dependenciesIn,
  installs,
  isUnused,
  managerOf,
  moduleType,
  readManifest,
  requireVersion,
  scriptOf,
  scriptsOf,
  withScript,
  withValue,
} from '../user-app/manifest'
import type { Manifest } from '../user-app/manifest'
import type { AppChanges, PlannedFile } from '../user-app/carry-out'

const scriptName = 'dev:auth'

/** A file of the project that has the place of one that the guide shows, and lacks lines of it. */
export interface KeptFile {
  /** The path of the project's file, which may differ in its ending or in its letters. */
  readonly place: string
  /** The guide's file, with a plus before the lines that are missing. */
  readonly marked: string
}

/** The plan of `rxauth init` for a folder. */
export interface Plan extends AppChanges {
  readonly framework: FrameworkName
  /** Files that have the place of one of the guide, and are as good. */
  readonly stays: readonly string[]
  readonly byHand: readonly KeptFile[]
  /** The members that package.json gets, without the packages. */
  readonly adds: readonly string[]
  /** The command that starts the app. */
  readonly start: string
  /** The address of the page, if another page has its first place. */
  readonly page: string | undefined
  readonly test: { readonly path: string; readonly command: string }
  readonly notes: readonly string[]
}

const ignored = ['node_modules', 'dist', '.angular', '.dev.vars', '.wrangler', '*.local']

export function planFor(folder: string, framework: FrameworkName, agent: string | undefined): Plan {
  const isNew = !existsSync(join(folder, 'package.json'))
  const guide = readGuide(framework)
  const dev = guide.command !== undefined && { dev: guide.command }
  const newScripts: Readonly<Record<string, string>> = isNew
    ? { ...dev, ...frameworks[framework].scripts, test: 'node --test' }
    : {}
  const manifest = readManifest(
    isNew
      ? `${JSON.stringify({ private: true, scripts: newScripts }, null, 2)}\n`
      : readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const names = dependenciesIn(manifest)
  const isCommon = manifest.value['type'] === 'commonjs'
  refuseTraps(folder, framework, manifest)
  // An app that begins with the files of the guide has its packages too.
  const begins = beginsApp(framework, manifest)
  const isTyped = begins || names.has('typescript') || existsSync(join(folder, 'tsconfig.json'))
  const manager = managerOf(folder, manifest, agent)

  const test = testFor(folder, guide.files, names, isTyped)
  const placed = standIns(
    folder,
    guide.files
      .filter(file => isWanted(folder, file))
      .map(file => ({
        ...file,
        path: pathOf(folder, framework, file.path),
        insteadOf: file.insteadOf && pathOf(folder, framework, file.insteadOf),
      })),
  )
  const { stays, byHand, page, ...sortedFiles } = sorted(folder, [...placed, ...test.files])
  const writes = [
    ...sortedFiles.writes,
    ...(isNew && fileAt(folder, '.gitignore') === null
      ? [{ path: '.gitignore', text: `${ignored.join('\n')}\n` }]
      : []),
  ]
  for (const { path } of writes) requireWritable(folder, path)

  const running =
    Object.keys(scriptsOf(manifest)).find(name => /\brxauth dev\b/.test(scriptOf(manifest, name) ?? '')) ??
    (Object.hasOwn(scriptsOf(manifest), scriptName) ? scriptName : undefined)
  const own = ['dev', 'start'].find(name => scriptOf(manifest, name) !== undefined)
  const isAdded = running === undefined
  const started = own === undefined ? guide.command : `${manager} run ${own}`
  if (isAdded && started === undefined)
    throw new Error('package.json has no script dev that starts the app: add it, then run this again')
  const script = `rxauth dev -- ${started ?? ''}`
  const isModule = isCommon || (begins && manifest.value['type'] === undefined)
  const typed = isModule ? withValue(manifest.text, ['type'], 'module') : manifest.text
  const changed = isAdded ? withScript(typed, scriptName, script) : typed
  const isChanged = isNew || changed !== manifest.text
  if (isNew) requireWritable(folder, 'package.json')
  else if (isChanged) requireChangeable(folder, 'package.json')

  const removes =
    framework === 'next' ? 'Next.js installs typescript when it starts next' : 'its tools remove the types'
  const tools = isTyped ? guide.devPackages : guide.devPackages.filter(name => !/^(typescript$|@types\/)/.test(name))
  return {
    framework,
    writes,
    updates: [],
    stays,
    byHand,
    manifest: isChanged ? changed : null,
    adds: [
      ...(isModule ? [isCommon ? `${moduleType}, in the place of "commonjs"` : moduleType] : []),
      ...Object.entries({ ...newScripts, ...(isAdded && { [scriptName]: script }) }).map(
        ([name, text]) => `the script "${name}": ${text}`,
      ),
    ],
    installs: installs(folder, manifest, manager, { packages: guide.packages, devPackages: tools }),
    start: `${manager} run ${running ?? scriptName}`,
    page,
    test,
    notes: [
      ...(isTyped
        ? []
        : [`The files are TypeScript, and this project of ${frameworks[framework].title} is JavaScript: ${removes}.`]),
      ...(running === undefined ? [] : [`The script "${running}" exists already, and stays as it is.`]),
      ...besideNotes(framework, guide.command, manifest, running ?? scriptName, script),
    ],
  }
}

/** Refuses projects in which the files of the guide cannot run. */
function refuseTraps(folder: string, framework: FrameworkName, manifest: Manifest): void {
  if (manifest.value['type'] === 'commonjs' && !isUnused(folder, manifest))
    throw new Error(
      'package.json says "type": "commonjs", with which the files of the guide do not run, as they are ES modules: run `npm pkg set type=module`, then this again',
    )
  const by = 'the guide needs'
  if (frameworks[framework].marks.includes('react'))
    requireVersion(folder, manifest, { name: 'react', title: 'React', oldest: 18, by })
  if (framework !== 'next') return
  requireAppRouter(folder)
  requireVersion(folder, manifest, { name: 'next', title: 'Next.js', oldest: 16, by })
}

function pathOf(folder: string, framework: FrameworkName, path: string): string {
  const isInSource = framework === 'next' && appOf(folder) === 'src/app' && !/^[^/]+\.config\.\w+$|\.json$/.test(path)
  return isInSource ? `src/${path}` : path
}

/** A test of the user's own, for the runner of the project. */
function testFor(
  folder: string,
  files: readonly GuideFile[],
  names: ReadonlySet<string>,
  isTyped: boolean,
): Plan['test'] & { readonly files: readonly GuideFile[] } {
  const runner = ['vitest', 'jest'].find(name => names.has(name))
  if (runner === undefined) {
    const file = { ...readTestFile('sign-in-test.mjs'), path: 'test/sign-in-test.mjs' }
    return { path: file.path, command: `node --test ${file.path}`, files: [file] }
  }
  const hasSource = existsSync(join(folder, 'src')) || files.some(({ path }) => path.startsWith('src/'))
  const file = readTestFile('sign-in.test.ts')
  const path = `${hasSource ? 'src' : 'test'}/sign-in.test.${isTyped ? 'ts' : 'js'}`
  const from = runner === 'jest' ? '@jest/globals' : runner
  const text = `import { expect, test } from '${from}'\n${file.text}`
  const config = runner === 'jest' ? [readTestFile('jest.config.cjs')] : []
  return {
    path,
    command: `npx ${runner === 'jest' ? 'jest' : 'vitest run'} ${path}`,
    files: [{ ...file, path, text }, ...config],
  }
}

function isWanted(folder: string, { when }: GuideFile): boolean {
  if (when === undefined) return true
  const configs = ['ts', 'mts', 'mjs', 'js'].map(ending => join(folder, `next.config.${ending}`)).filter(existsSync)
  return configs.some(config => new RegExp(`\\b${when}: true\\b`).test(readFileSync(config, 'utf8')))
}

/** Takes a file that stands in for another one only where that place is taken, which then stays. */
function standIns(folder: string, files: readonly GuideFile[]): GuideFile[] {
  const isTaken = ({ path, text }: GuideFile) => {
    const place = fileAt(folder, path)
    return place !== null && !isSame(folder, place, text)
  }
  const taken = new Set(files.filter(isTaken).map(({ path }) => path))
  const replaced = new Set(files.map(({ insteadOf }) => insteadOf))
  return files
    .filter(({ insteadOf }) => insteadOf === undefined || taken.has(insteadOf))
    .map(file => (replaced.has(file.path) ? { ...file, isOwn: true } : file))
}

function sorted(folder: string, files: readonly GuideFile[]): Pick<Plan, 'writes' | 'stays' | 'byHand' | 'page'> {
  const [writes, stays, byHand]: [PlannedFile[], string[], KeptFile[]] = [[], [], []]
  let page: string | undefined
  const keep = (place: string, text: string) => {
    const marked = markedLines(folder, place, text)
    // A file that was formatted anew lacks nothing.
    if (marked.some(line => line.startsWith('+'))) byHand.push({ place, marked: marked.join('\n') })
    else stays.push(place)
  }
  for (const { path, text, otherPath, isOwn } of files) {
    const place = fileAt(folder, path)
    if (place === null) {
      writes.push({ path, text })
      continue
    }
    requireWritable(folder, path)
    if (isSame(folder, place, text)) continue
    if (isOwn) stays.push(place)
    else if (otherPath === undefined) keep(place, text)
    else {
      stays.push(place)
      page = `/${otherPath.replace(/\.html$/, '')}`
      const other = fileAt(folder, otherPath)
      if (other === null) writes.push({ path: otherPath, text })
      else if (!isSame(folder, other, text)) keep(other, text)
    }
  }
  return { writes, stays, byHand, page }
}

/** The lines of the guide's file, with a plus before those that the file in its place lacks. */
function markedLines(folder: string, place: string, text: string): string[] {
  const present = new Set(textAt(folder, place).split('\n').map(plain))
  return text
    .trimEnd()
    .split('\n')
    .map(line => `${plain(line) === '' || present.has(plain(line)) ? ' ' : '+'} ${line}`.trimEnd())
}

/** Git may have changed the line endings. */
function isSame(folder: string, path: string, text: string): boolean {
  return textAt(folder, path) === text
}

/** A note with the command for both where the script, the app's own or the `added` one, starts a page and not the server of the guide. */
function besideNotes(
  framework: FrameworkName,
  command: string | undefined,
  manifest: Manifest,
  name: string,
  added: string,
): string[] {
  if ((framework !== 'express' && framework !== 'hono') || command === undefined) return []
  const script = scriptOf(manifest, name) ?? added
  const inner = script.match(/(?<=\b(?:run|npm|pnpm|yarn|bun) )[\w:.-]+/g) ?? []
  const started = [script, ...inner.map(each => scriptOf(manifest, each))].join(' ')
  const file = command.slice(command.lastIndexOf(' ') + 1)
  // An app that has the framework may start a server of its own.
  const isOwn = !beginsApp(framework, manifest) && /\.[cm]?[jt]s\b/.test(started)
  if (started.includes(file) || isOwn) return []
  const at = script.indexOf('rxauth dev')
  const [dev = '', ...rest] = at < 0 ? ['rxauth dev', script] : script.slice(at).split(' -- ')
  const page = rest.join(' -- ').replaceAll('"', '\\"')
  const both = page === '' ? command : `sh -c "${command} & ${page}"`
  return [
    `The script "${name}" does not start ${file}. To start both ("Beside a page" of docs/guides/hono.md):\n  npx ${dev} -- ${both}`,
  ]
}
