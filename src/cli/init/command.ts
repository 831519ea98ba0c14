import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InitAsked } from '../arguments'
import { frameworkNames } from '../commands'
import type { FrameworkName } from '../commands'
import { projectFolder } from '../config-file'
import type { Terminal } from '../terminal'
import { carryOut, requireNode } from '../user-app/carry-out'
import { readManifest } from '../user-app/manifest'
import { offerEditors } from './editors'
import { frameworks, frameworksIn, beginsApp, packagesOf } from './frameworks'
import { readGuide } from './guide'
import { planFor } from './plan'
import { handText, newAppText, planText } from './texts'

/** `rxauth init`: writes the files of a guide into the app of this folder; resolves to the exit code. */
export async function initApp(asked: InitAsked, terminal: Terminal, node?: string): Promise<number> {
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
