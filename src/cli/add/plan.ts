import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { version } from '../../core/version'
import type { AppChanges, PlannedFile } from '../user-app/carry-out'
import { dependenciesIn, installs, managerOf, readManifest, requireVersion } from '../user-app/manifest'
import { appOf, fileAt, requireAppRouter, requireChangeable, requireWritable, textAt } from '../user-app/place'
import { CopyRecord, isUntouched, isReformatted, newsDiff, unifiedDiff } from './copied'
import { withoutDirective, type Item, type Router, type Screens } from './registry'
import { mountedBy } from './mounting'
import { mounting, sourcesOf } from './steps'

/** The plan of `rxauth add` for a folder. */
export interface AddPlan extends AppChanges {
  readonly items: readonly Item[]
  readonly router: Router
  /** The folder of the screens, relative to that of the app. */
  readonly to: string
  /** Files that are as they are shipped. */
  readonly same: readonly string[]
  /** Files that differ only in what a formatter changes. */
  readonly formatted: readonly string[]
  /** Files that only the user has changed since they were copied. */
  readonly own: readonly string[]
  /** Copied files that are not shipped with the screens of the app any more, and that nothing imports. */
  readonly orphans: readonly string[]
  /** The news in files that the user has not changed. */
  readonly news: readonly string[]
  /** The news in files that the user has changed, without the changes of the user. */
  readonly merges: readonly string[]
  /** Differences between files whose copied text is not known and the shipped ones. */
  readonly diffs: readonly string[]
  /** How the screens come into the app. */
  readonly steps: string
  readonly notes: readonly string[]
}

export interface AddTarget {
  readonly folder: string
  /** The option `--to`. */
  readonly to: string | undefined
  /** The option `--update`: files that the user has not changed get the shipped text. */
  readonly isUpdate: boolean
  /** The package manager that runs this program, as it names itself. */
  readonly agent: string | undefined
}

export function planAdd(
  { folder, to: asked, agent, isUpdate }: AddTarget,
  items: readonly Item[],
  screens: Screens,
): AddPlan {
  const manifest = readManifest(readFileSync(join(folder, 'package.json'), 'utf8'))
  const names = dependenciesIn(manifest)
  if (!names.has('react')) throw new Error('package.json has no react, and the screens are components of React')
  const router = routerOf(names)
  for (const [name, title, oldest] of oldestVersions)
    if (names.has(name)) requireVersion(folder, manifest, { name, title, oldest, by: 'the screens need' })
  if (router === 'next') requireAppRouter(folder)
  const usual = folderFor(folder, router)
  const to = asked === undefined ? usual : insideOf(asked)

  const copied = screens.filesOf(items, router).map(({ path, text }) => ({
    path: posix.join(to, path),
    // Version 6 of React Router is published under this name only.
    text: names.has('react-router') ? text : text.replace("from 'react-router'", "from 'react-router-dom'"),
  }))
  const place = { folder, to, root: posix.dirname(usual), router, hasRoutes: names.has('@react-router/dev') }
  // A screen of an earlier run stays at its address.
  const mounted = screens.items.filter(
    item => items.includes(item) || fileAt(folder, posix.join(to, item.meta.entry)) !== null,
  )
  const record = new CopyRecord(folder, to)
  const sorted = compared(folder, record, [...copied, ...mountedBy(items, mounted, place)], isUpdate)
  const shipped = [...screens.filesOf([...items, ...mounted], router).map(({ path }) => path), 'screens.tsx']
  const left = record.paths().filter(path => !shipped.includes(posix.relative(to, path)))
  for (const { path } of sorted.writes) requireWritable(folder, path)
  for (const { path } of sorted.updates) {
    requireWritable(folder, path)
    requireChangeable(folder, path)
  }
  const packages = screens.packagesOf(items, router)
  return {
    ...{ items, router, to, ...sorted, orphans: orphansOf(folder, left, sorted) },
    manifest: null,
    installs: installs(folder, manifest, managerOf(folder, manifest, agent), { packages, devPackages: [] }),
    steps: mounting(items, place),
    notes: [
      ...(names.has('typescript') || existsSync(join(folder, 'tsconfig.json'))
        ? []
        : ['The files are TypeScript, and this project is JavaScript: its tools remove the types.']),
      ...unknownRouters
        .filter(name => names.has(name) && router === 'wouter')
        .map(
          name =>
            `${to}/ui/navigation.tsx is written for wouter, and this app has ${name}: write that file anew for it.`,
        ),
    ],
  }
}

/** The menus are popovers, which React knows from 19 on. */
const oldestVersions = [
  ['react', 'React', 19],
  ['next', 'Next.js', 16],
  ['react-router', 'React Router', 6],
  ['react-router-dom', 'React Router', 6],
] as const

const unknownRouters = ['@tanstack/react-router', '@remix-run/react', 'gatsby']

function routerOf(names: ReadonlySet<string>): Router {
  for (const name of ['expo', 'react-native'])
    if (names.has(name)) throw new Error(`this is an app of ${name}, and the screens are pages of a browser`)
  if (names.has('next')) return 'next'
  return ['@react-router/dev', 'react-router', 'react-router-dom'].some(name => names.has(name))
    ? 'react-router'
    : 'wouter'
}

/** The folder of the screens, beside the app of rxauth as the guides have it. */
function folderFor(folder: string, router: Router): string {
  if (router === 'next') return posix.join(appOf(folder), '../auth')
  const found = ['src', 'app'].find(name => existsSync(join(folder, name)))
  return found === undefined ? 'auth' : `${found}/auth`
}

function insideOf(asked: string): string {
  const path = posix.normalize(asked.replaceAll('\\', '/')).replace(/\/$/, '')
  if (posix.isAbsolute(path) || /^[a-z]:/i.test(path) || /^\.\.?(?:\/|$)/.test(path))
    throw new Error(`--to takes a folder inside of this one, not ${asked}`)
  if (path.split('/').some(part => part === 'node_modules' || part === '.git'))
    throw new Error(`--to takes a folder of your sources, not ${asked}`)
  // The path is written into import lines, where a quote or a line break would end the text.
  if (/['"\n]/.test(path)) throw new Error(`--to takes a folder without quotes in its name, not ${asked}`)
  return path
}

type Sorted = Pick<AddPlan, 'writes' | 'updates' | 'same' | 'formatted' | 'own' | 'news' | 'merges' | 'diffs'>

/** The copied files that no other file imports once the plan is carried out, but those among them. */
function orphansOf(folder: string, copied: readonly string[], { writes, updates }: Sorted): readonly string[] {
  if (copied.length === 0) return []
  const texts = new Map(sourcesOf(folder))
  for (const { path, text } of [...writes, ...updates]) texts.set(path, text)
  const left = copied.filter(path => texts.has(path))
  // A set visits what is added to it meanwhile.
  const reached = new Set([...texts.keys()].filter(path => !left.includes(path)))
  for (const path of reached)
    for (const each of left)
      if (
        texts
          .get(path)
          ?.match(/(?<=\/)[\w.-]+(?=['"])/g)
          ?.includes(posix.basename(each).replace(/\.tsx?$/, ''))
      )
        reached.add(each)
  return left.filter(path => !reached.has(path))
}

function compared(folder: string, record: CopyRecord, files: readonly PlannedFile[], isUpdate: boolean): Sorted {
  const [writes, updates]: [PlannedFile[], PlannedFile[]] = [[], []]
  const sorted = { same: [], formatted: [], own: [], news: [], merges: [], diffs: [] } as {
    [K in Exclude<keyof Sorted, 'writes' | 'updates'>]: string[]
  }
  for (const { path, text } of files) {
    const found = fileAt(folder, path)
    const whole = found === null ? '' : textAt(folder, found)
    // shadcn leaves the directive in, whatever the framework.
    const own = text === withoutDirective(text) ? withoutDirective(whole) : whole
    const [from, into] = [
      { name: found ?? path, text: own },
      { name: `rxauth ${version}`, text },
    ]
    const copy = record.copyAt(path)
    const isOld = copy !== undefined && isUntouched(own, copy)
    if (found === null) writes.push({ path, text })
    // shadcn and some editors write no line ending at the end.
    else if (own.trimEnd() === text.trimEnd()) sorted.same.push(found)
    else if (isReformatted(own, text)) sorted.formatted.push(found)
    else if (isOld && isUpdate) updates.push({ path: found, text })
    else if (copy) {
      const news = newsDiff(from, into, copy)
      if (isOld) sorted.news.push(news ?? unifiedDiff(from, into) ?? `--- ${found}`)
      else if (news === null) sorted.own.push(found)
      else sorted.merges.push(news)
      continue
    } else {
      const diff = unifiedDiff(from, into)
      if (diff !== null) {
        sorted.diffs.push(diff)
        continue
      }
      sorted.formatted.push(found)
    }
    record.note(path, text)
  }
  if (record.found === null) writes.push({ path: record.path, text: record.text() })
  else if (record.text() !== record.found) updates.push({ path: record.path, text: record.text() })
  return { writes, updates, ...sorted }
}
