import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { InitAsked } from '../arguments'
import { frameworkNames } from '../commands'
import type { FrameworkName } from '../commands'
import { projectFolder } from '../config-file'
import { reasonOf } from '../data-place'
import { runCommand } from '../run-command'
import type { Terminal } from '../terminal'
import { frameworks, frameworksIn, beginsApp, packagesOf } from './frameworks'
import { readGuide } from './guide'
import { readManifest } from './manifest'
import { planFor } from './plan'
import type { Plan } from './plan'
import { handText, newAppText, planText } from './texts'

/** `rxauth init`: writes the files of a guide into the app of this folder; resolves to the exit code. */
export async function initApp(asked: InitAsked, terminal: Terminal, node = process.versions.node): Promise<number> {
  const { folder } = terminal
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`rxauth needs Node 20.19 or newer, and this is ${node}`)
  const framework = frameworkOf(asked, terminal)
  if (framework === null) return 2
  const plan = planFor(folder, framework, terminal.environment['npm_config_user_agent'])
  terminal.out(planText(plan))
  if (isDone(plan) || asked.isDryRun) {
    terminal.out(handText(plan))
    return 0
  }
  if (!asked.isSure) {
    if (!terminal.isInteractive) {
      terminal.err('rxauth: init asks before it writes, which needs a terminal: give --yes\n')
      return 2
    }
    const answer = await terminal.ask('Do this? (y/N) ')
    if (!/^y(es)?$/i.test(answer.trim())) {
      terminal.out('Nothing was written.\n')
      return 1
    }
  }
  const unlock = lock(folder)
  try {
    write(plan, folder)
    const failed = await install(plan, terminal)
    terminal.out(handText(plan))
    if (failed.length > 0) {
      terminal.err(`rxauth: the files are written, and the packages are missing. Run:\n  ${failed.join('\n  ')}\n`)
      return 1
    }
    const count = plan.byHand.length
    const steps = count === 1 ? 'step' : `${count} steps`
    if (count > 0) terminal.out(`\nFirst do the ${steps} by hand above.\n`)
    terminal.out(`\nStart it:     ${plan.start}\nRun the test: ${plan.test.command}\n`)
    if (plan.page !== undefined) terminal.out(`The page is at ${plan.page} of the address that is printed then.\n`)
    return 0
  } finally {
    unlock()
  }
}

function isDone({ writes, manifest, installs }: Plan): boolean {
  return writes.length === 0 && manifest === null && installs.length === 0
}

/** The framework that was named, or that package.json tells; null if that is not known, which has been said then. */
function frameworkOf(asked: InitAsked, terminal: Terminal): FrameworkName | null {
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
  const packages = packagesOf(folder, manifest)
  if (packages) {
    const list = packages.map(each => `\n  ${each}`).join('')
    err(`rxauth: this is the root of a monorepo: run init in the folder of an app${list && `. Its packages:${list}`}\n`)
    err('Where the root is the app: rxauth init --framework NAME\n')
    return null
  }
  const found = frameworksIn(manifest)
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

function write(plan: Plan, folder: string): void {
  for (const { path, text } of plan.writes) writeNew(folder, path, text)
  if (plan.manifest === null) return
  const file = join(folder, 'package.json')
  if (!existsSync(file)) {
    writeNew(folder, 'package.json', plan.manifest)
    return
  }
  // Another program may wait for the file: it is replaced at once.
  const target = realpathSync(file)
  const fresh = `${target}.${crypto.randomUUID()}`
  try {
    writeFileSync(fresh, plan.manifest, { flag: 'wx', mode: statSync(target).mode })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw new Error(`package.json cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

/** Writes a file that does not exist. Throws, and leaves what is there, if one exists by now. */
function writeNew(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    // A full disk leaves the beginning of a file, which would be taken for the user's.
    if (/^(ENOSPC|EDQUOT|EIO)$/.test(codeOf(error))) rmSync(file, { force: true })
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`, { cause: error })
  }
}

/** Runs the package manager; returns the commands from the first one on that failed. */
async function install({ installs }: Plan, terminal: Terminal): Promise<readonly string[]> {
  const lines = installs.map(command => command.join(' '))
  for (const [index, command] of installs.entries())
    if ((await runCommand(command, {}, terminal, 'stdout')) !== 0) return lines.slice(index)
  return []
}

/** Keeps a second `rxauth init` out of the folder; returns the function that lets it in. */
function lock(folder: string): () => void {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `rxauth-init-${name}`)
  for (let isSecond = false; ; isSecond = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN
      if (isSecond || isRunning(owner))
        throw new Error(
          `another rxauth init, process ${owner}, is at work in this folder: run this again when it has ended (its mark is ${file})`,
          { cause: error },
        )
      rmSync(file, { force: true })
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return id > 0 && process.kill(id, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
