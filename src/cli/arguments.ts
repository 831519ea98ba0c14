import { configLevels, isWire, wires } from '../platform-inside'
import type { Wire } from '../platform'
import type { ConfigLevel } from '../entities/config/shape'
import { commands, frameworkNames, isCommand } from './commands'
import type { CommandName, FrameworkName, OptionName } from './commands'
import { nearest } from './nearest'
import { didYouMean, Misunderstood, readOptions } from './read-options'
import type { Values } from './read-options'

/** Options for the places of data and configuration, with paths as given. */
export interface Where {
  readonly data?: string
  readonly config?: string
}

/** The options of `rxauth dev`; for missing ones the configuration applies. */
export interface DevFlags extends Where {
  readonly port?: number
  readonly host?: string
  readonly seed?: string
  readonly wire?: Wire
  readonly isStrict: boolean
  readonly opens: boolean
  readonly isJson: boolean
  readonly logs: boolean
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly webhooks: readonly string[]
  /** Empty without a command. */
  readonly command: readonly string[]
}

const configActions = ['pull', 'push', 'diff'] as const

/** The arguments of `rxauth config`. */
export interface ConfigAsked {
  readonly action: (typeof configActions)[number]
  readonly file?: string
  readonly level: ConfigLevel
  readonly isDryRun: boolean
}

/** The arguments of `rxauth init`. */
export interface InitAsked {
  readonly framework?: FrameworkName
  readonly isDryRun: boolean
  readonly isSure: boolean
}

/** The arguments of `rxauth add`. */
export interface AddAsked {
  /** Of screens; none asks for their list. */
  readonly names: readonly string[]
  readonly to?: string
  readonly isUpdate: boolean
  readonly isDryRun: boolean
  readonly isSure: boolean
}

/** The arguments of `rxauth replay`. */
export interface ReplayAsked {
  /** "-" for standard input. */
  readonly file: string
  /** Says why sessions have ended, and plays nothing. */
  readonly asksWhy: boolean
  /** Compares all decisions, also of a recording of another version. */
  readonly isStrict: boolean
  readonly minimises: boolean
  /** The number of the event whose decision is kept. */
  readonly keep: number | undefined
}

/** The parsed command line. */
export type Asked =
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'misunderstood'; readonly message: string }
  | ({ readonly kind: 'dev' } & DevFlags)
  | ({ readonly kind: 'seed'; readonly seed?: string } & Where)
  | ({ readonly kind: 'reset'; readonly isSure: boolean } & Where)
  | ({ readonly kind: 'config' } & ConfigAsked)
  | ({ readonly kind: 'init' } & InitAsked)
  | ({ readonly kind: 'add' } & AddAsked)
  | ({ readonly kind: 'replay' } & ReplayAsked)
  | ({ readonly kind: 'types'; readonly out?: string } & Where)

const always: readonly OptionName[] = ['help', 'version']

/** Parses the arguments after the program's name. */
export function readArguments(all: readonly string[]): Asked {
  const end = all.indexOf('--')
  const own = end < 0 ? all : all.slice(0, end)
  const [verb = '', ...rest] = own
  const command = isCommand(verb) ? verb : null
  try {
    if (!command) return readProgram(verb, rest)
    if (command === 'help') return readHelp(rest)
    const [action, given] = command === 'config' ? readAction(rest) : [undefined, rest]
    const names: string[] | null = command === 'add' || command === 'replay' ? [] : null
    const values = readOptions(given, commands[command].options, command === 'dev', names)
    if (values.help) return { kind: 'help', command }
    if (values.version) return { kind: 'version' }
    if (end >= 0 && command !== 'dev') throw new Misunderstood(`rxauth ${command} runs no command after --`)
    if (end >= 0 && !all[end + 1]) throw new Misunderstood('the command after -- is missing')
    if (command === 'config') return readConfig(action, values)
    return readCommand(command, values, names ?? (end < 0 ? [] : all.slice(end + 1)))
  } catch (error) {
    if (!(error instanceof Misunderstood)) throw error
    const usage = commands[command ?? 'dev'].usage
    const help = command === null || command === 'help' ? 'rxauth --help' : `rxauth ${command} --help`
    return { kind: 'misunderstood', message: `rxauth: ${error.message}\nTry: ${usage}, or ${help}` }
  }
}

/** Parses arguments without a known command. */
function readProgram(verb: string, rest: readonly string[]): Asked {
  if (verb === '') throw new Misunderstood(`the command is missing: ${Object.keys(commands).join(', ')}`)
  if (!verb.startsWith('-')) {
    const meant = nearest(verb, Object.keys(commands))
    throw new Misunderstood(`"${verb}" is not a command of rxauth${didYouMean(meant)}`)
  }
  const values = readOptions([verb, ...rest], always, false)
  return values.version && !values.help ? { kind: 'version' } : { kind: 'help', command: null }
}

function readHelp([about, ...rest]: readonly string[]): Asked {
  if (rest[0] !== undefined) throw new Misunderstood(`help takes one command, not "${rest[0]}" besides`)
  if (about === undefined || about === '--help' || about === '-h') return { kind: 'help', command: null }
  if (isCommand(about)) return { kind: 'help', command: about }
  throw new Misunderstood(`"${about}" is not a command of rxauth${didYouMean(nearest(about, Object.keys(commands)))}`)
}

/** The word after `config`, and what follows it. */
function readAction(given: readonly string[]): readonly [action: string | undefined, rest: readonly string[]] {
  const [action, ...rest] = given
  return action === undefined || action.startsWith('-') ? [undefined, given] : [action, rest]
}

function readConfig(word: string | undefined, { file, level, 'dry-run': dryRun }: Values): Asked {
  const action = configActions.find(each => each === word)
  if (!action) {
    const said = word === undefined ? 'is missing' : `is not "${word}"${didYouMean(nearest(word, [...configActions]))}`
    throw new Misunderstood(`the word after config ${said}: ${configActions.join(', ')}`)
  }
  if (dryRun && action !== 'push')
    throw new Misunderstood(`--dry-run is for rxauth config push; ${action} pushes nothing`)
  const wanted = level?.at(-1) ?? 'branch'
  const found = configLevels.find(each => each === wanted)
  if (!found) throw new Misunderstood(`--level takes ${configLevels.join(', ')}, not "${wanted}"`)
  const path = file?.at(-1)
  return {
    kind: 'config',
    action,
    ...(path !== undefined && { file: path }),
    level: found,
    isDryRun: dryRun !== undefined,
  }
}

function readReplay({ why, strict, minimise, keep = [] }: Values, [file, more]: readonly string[]): Asked {
  if (file === undefined) throw new Misunderstood('the file of the recording is missing; "-" is standard input')
  if (more !== undefined) throw new Misunderstood(`replay takes one file, not "${more}" besides`)
  if (keep.length > 0 && !minimise) throw new Misunderstood('--keep is for --minimise; without it nothing is left out')
  const number = keep.at(-1)
  if (number !== undefined && !/^\d{1,6}$/.test(number))
    throw new Misunderstood(`--keep takes the number of an event, not "${number}"`)
  return {
    kind: 'replay',
    file,
    asksWhy: why !== undefined,
    isStrict: strict !== undefined,
    minimises: minimise !== undefined,
    keep: number === undefined ? undefined : Number(number),
  }
}

function readCommand(kind: Exclude<CommandName, 'help' | 'config'>, values: Values, words: readonly string[]): Asked {
  const text = <N extends OptionName>(name: N) => {
    const value = values[name]?.at(-1)
    return value === undefined ? {} : ({ [name]: value } as Record<N, string>)
  }
  const where = { ...text('data'), ...text('config') }
  switch (kind) {
    case 'seed':
      return { kind, ...where, ...text('seed') }
    case 'reset':
      return { kind, ...where, isSure: values.yes !== undefined }
    case 'types':
      return { kind, ...where, ...text('out') }
    case 'init':
      return {
        kind,
        ...(values.framework && { framework: toFramework(values.framework.at(-1) ?? '') }),
        isDryRun: values['dry-run'] !== undefined,
        isSure: values.yes !== undefined,
      }
    case 'add':
      return {
        ...{ kind, names: words, ...text('to'), isUpdate: values.update !== undefined },
        isDryRun: values['dry-run'] !== undefined,
        isSure: values.yes !== undefined,
      }
    case 'replay':
      return readReplay(values, words)
    case 'dev':
      return {
        kind,
        ...where,
        ...text('seed'),
        ...text('host'),
        ...(values.port && { port: toPort(values.port.at(-1) ?? '') }),
        ...(values.wire && { wire: toWire(values.wire.at(-1) ?? '') }),
        isStrict: values.strict !== undefined,
        opens: values.open !== undefined,
        isJson: values.json !== undefined,
        logs: values.log !== undefined,
        allowedHosts: values['allow-host'] ?? [],
        allowedOrigins: values['allow-origin'] ?? [],
        webhooks: values.webhook ?? [],
        command: words,
      }
  }
}

function toPort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : -1
  if (port >= 0 && port <= 65_535) return port
  throw new Misunderstood(`--port takes a number from 0 to 65535, not "${text}"`)
}

function toFramework(text: string): FrameworkName {
  const found = frameworkNames.find(name => name === text)
  if (found) return found
  const names = `one of ${frameworkNames.join(', ')}`
  throw new Misunderstood(`--framework takes ${names}, not "${text}"${didYouMean(nearest(text, frameworkNames))}`)
}

function toWire(text: string): Wire {
  if (isWire(text)) return text
  throw new Misunderstood(`--wire takes one of ${wires.join(', ')}, not "${text}"`)
}
