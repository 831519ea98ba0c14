import { version } from '../core/version'
import { saidBy } from '../errors/auth-error'
import { readArguments, type AskedCommand } from './arguments'
import { helpOf } from './commands'
import { develop } from './develop'
import { resetData, seedData } from './data-place'
import { withPrintableText, type Terminal } from './terminal'
import { writeTypes } from './write-types'

/** Runs the `rxauth` program; resolves to its exit code. */
export async function run(given: readonly string[], actual: Terminal): Promise<number> {
  const asked = readArguments(given)
  // The output of these is for programs, and has to keep each character.
  const terminal = withPrintableText(actual, ['config', 'types', 'replay', 'mcp'].includes(asked.kind))
  try {
    return await perform(asked, terminal)
  } catch (error) {
    terminal.err(`rxauth: ${saidBy(error)}\n`)
    // 1 is the answer of `config diff` and `replay` that there is a difference.
    return asked.kind === 'replay' || (asked.kind === 'config' && asked.action === 'diff') ? 2 : 1
  }
}

async function perform(asked: AskedCommand, terminal: Terminal): Promise<number> {
  switch (asked.kind) {
    case 'help':
      terminal.out(helpOf(asked.command))
      return 0
    case 'version':
      terminal.out(`${version}\n`)
      return 0
    case 'misunderstood':
      terminal.err(`${asked.message}\n`)
      return 2
    case 'dev':
      return develop(asked, terminal)
    case 'seed':
      return seedData(asked, terminal)
    case 'reset':
      return resetData(asked, terminal)
    case 'types':
      return writeTypes(asked, terminal)
    // The commands below are loaded when they are asked for: the others start without them.
    case 'config':
      return (await import('./project-config/command')).projectConfig(asked, terminal)
    case 'init':
      return (await import('./init/command')).initApp(asked, terminal)
    case 'add':
      return (await import('./add/command')).addScreens(asked, terminal)
    case 'mcp':
      return (await import('./mcp/command')).serveMcp(asked, terminal)
    case 'replay':
      return (await import('./replay/command')).replayFile(asked, terminal)
  }
}
