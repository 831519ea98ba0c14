import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedOf } from '../arguments'
import { frameworkNames, type FrameworkName } from '../commands'
import { projectFolder } from '../config-file'
import type { Terminal } from '../terminal'
import { carryOut, isNothing, linesOf, list, pathsOf, requireNode, type AppChanges } from '../user-app/carry-out'
import { installs, managerOf, readManifest, withValue } from '../user-app/manifest'
import { requireChangeable, requireWritable, textAt } from '../user-app/place'
import { beginsApp, frameworks, frameworksIn, readGuide, rootText } from './guide'
import { planFor, type Plan } from './plan'

/** `rxauth init`: writes the files of a guide into the app of this folder; resolves to the exit code. */
export async function initApp(asked: AskedOf<'init'>, terminal: Terminal, node?: string): Promise<number> {
  requireNode(node)
  const framework = frameworkOf(asked, terminal)
  if (framework === null) return 2
  const agent = terminal.environment['npm_config_user_agent']
  const planned = { plan: () => planFor(terminal.folder, framework, agent), shown: planText, hand: handText }
  const plan = await carryOut('init', planned, asked, terminal)
  if (plan === 0) await offerEditors(asked, terminal)
  if (typeof plan === 'number') return plan
  const count = plan.byHand.length
  const steps = count === 1 ? 'step' : `${count} steps`
  if (count > 0) terminal.out(`\nFirst do the ${steps} by hand above.\n`)
  terminal.out(`\nStart it:     ${plan.start}\nRun the test: ${plan.test.command}\n`)
  if (plan.page !== undefined) terminal.out(`The page is at ${plan.page} of the address that is printed then.\n`)
  await offerEditors(asked, terminal)
  return 0
}

/** The framework that was named, or that package.json tells; null if that is not known, which has been said then. */
function frameworkOf(asked: AskedOf<'init'>, terminal: Terminal): FrameworkName | null {
  const { folder } = terminal
  const err = (text: string) => terminal.err(text)
  const file = join(folder, 'package.json')
  const named = asked.framework
  const refuse = (reason: string) => {
    err(newAppText(reason, frameworkNames.filter(isWhole), named))
    return null
  }
  if (!existsSync(file)) {
    if (named !== undefined && isWhole(named)) return named
    const above = projectFolder(folder)
    const next = above === folder ? '' : `The next one is in ${above}: run init there.\n`
    return refuse(`there is no package.json in this folder.\n${next}`)
  }
  const manifest = readManifest(readFileSync(file, 'utf8'))
  if (named !== undefined) {
    if (!beginsApp(named, manifest) || isWhole(named)) return named
    return refuse(`package.json has no ${frameworks[named].marks.join(' and ')}.\n`)
  }
  const root = rootText('init', folder, manifest)
  if (root !== null) {
    err(`${root}Where the root is the app: rxauth init --framework NAME\n`)
    return null
  }
  const found = frameworksIn(manifest, folder)
  const [first] = found
  if (first && found.length === 1) return first
  const what = found.map(name => frameworks[name].title).join(' and ')
  const names = found.length > 0 ? found : frameworkNames.filter(isWhole)
  const said = found.length > 0 ? `this package has ${what}` : 'package.json names no framework that has a guide'
  err(`rxauth: ${said}: give --framework NAME, where NAME is one of ${names.join(', ')}\n`)
  return null
}

/** Whether the guide has every file, and installs the framework too. */
function isWhole(name: FrameworkName): boolean {
  const { packages, devPackages } = readGuide(name)
  return frameworks[name].marks.every(mark => packages.includes(mark) || devPackages.includes(mark))
}

/** The text about a plan, before it is carried out. */
export function planText(plan: Plan): string {
  const { framework, writes, adds, installs, stays, notes, byHand } = plan
  return [
    `${frameworks[framework].title}, with the files of docs/guides/${framework}.md\n`,
    ['next', 'vite', 'react-router'].includes(framework)
      ? '\nFinished pages with a design: npx rxauth add sign-in account team. The pages below are bare.\n'
      : '',
    isNothing(plan) ? `\nNothing to ${byHand.length > 0 ? 'write or install' : 'do: all of it is there'}.\n` : '',
    list('Writes', pathsOf(writes)),
    list('Adds to package.json', adds),
    list('Runs', linesOf(installs)),
    list('Leaves as they are', stays),
    notes.map(note => `\n${note}\n`).join(''),
  ].join('')
}

/** The lines that the user adds to files that exist, each with a plus, and the step that brings the page into the app. */
export function handText({ byHand, page, framework }: Plan): string {
  const files = byHand.map(
    ({ place, marked }) =>
      `\nBy hand: ${place} exists and stays as it is. The guide has the text below there. Add the lines with a plus:\n\n${marked}\n`,
  )
  const { entry = '' } = frameworks[framework]
  return files.join('') + (page === undefined ? '' : `\nTo have the page in your app, ${entry}.\n`)
}

/** How a folder without an app of the framework gets one. */
function newAppText(reason: string, whole: readonly FrameworkName[], named: FrameworkName | undefined): string {
  const asked: readonly FrameworkName[] = named === undefined ? frameworkNames : [named]
  const width = Math.max(...asked.map(name => frameworks[name].title.length)) + 2
  const rows = asked.map(name => `  ${frameworks[name].title.padEnd(width)}${frameworks[name].create}\n`).join('')
  return [
    `rxauth: ${reason}`,
    `Make an app, and run \`npx rxauth init\` in its folder:\n${rows}`,
    whole.length === 0
      ? ''
      : `Or have the whole app of a guide written here: rxauth init --framework ${whole.join(', ')}\n`,
  ].join('')
}

/** The editors that read the servers of a project from a file: what a project has if it is used there, the file, and its list. */
const editors = [
  { marks: ['.cursor'], path: '.cursor/mcp.json', servers: 'mcpServers' },
  { marks: ['.vscode'], path: '.vscode/mcp.json', servers: 'servers' },
  { marks: ['.mcp.json', '.claude', 'CLAUDE.md'], path: '.mcp.json', servers: 'mcpServers' },
] as const

const entry = { command: 'npx', args: ['rxauth', 'mcp'] }

/** Offers to tell the editors of the project of `rxauth mcp`; does nothing where no question can be asked. */
export async function offerEditors(asked: AskedOf<'init'>, terminal: Terminal): Promise<void> {
  const { folder, environment } = terminal
  const agent = environment['npm_config_user_agent']
  const plan = () => entriesFor(folder, agent)
  const { writes, updates } = plan()
  if (writes.length + updates.length === 0) return
  if (asked.isSure || asked.isDryRun || terminal.isInteractive)
    await carryOut('init', { plan, shown: entriesText, hand: () => '' }, asked, terminal)
}

function entriesFor(folder: string, agent: string | undefined): AppChanges {
  const used = editors.filter(({ marks }) => marks.some(mark => existsSync(join(folder, mark))))
  const files = used.flatMap(({ path, servers }) => {
    if (!existsSync(join(folder, path))) {
      requireWritable(folder, path)
      return [{ path, isNew: true, text: `${JSON.stringify({ [servers]: { rxauth: entry } }, null, 2)}\n` }]
    }
    const text = textAt(folder, path)
    const root = parseTree(text)
    // A file that is no object, or has the entry, stays as it is.
    if (root?.type !== 'object' || findNodeAtLocation(root, [servers, 'rxauth'])) return []
    requireChangeable(folder, path)
    return [{ path, isNew: false, text: withValue(text, [servers, 'rxauth'], entry) }]
  })
  const own = join(folder, 'package.json')
  const manifest = readManifest(existsSync(own) ? readFileSync(own, 'utf8') : '{}')
  const packages = { packages: [], devPackages: ['@modelcontextprotocol/server'] }
  return {
    writes: files.filter(({ isNew }) => isNew),
    updates: files.filter(({ isNew }) => !isNew),
    manifest: null,
    installs: files.length > 0 ? installs(folder, manifest, managerOf(folder, manifest, agent), packages) : [],
  }
}

function entriesText({ writes, updates, installs: commands }: AppChanges): string {
  return [
    '\nFor coding agents: the running platform as tools of your editor, by rxauth mcp\n',
    list('Writes', pathsOf(writes)),
    list('Adds an entry to', pathsOf(updates)),
    list('Runs', linesOf(commands)),
  ].join('')
}
