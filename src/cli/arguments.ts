import { parseArgs } from 'node:util'
import { configLevels, nearest, wires } from '../platform-inside'
import { commands, frameworkNames, isCommand, options } from './commands'
import type { CommandName, CommandOption, OptionName } from './commands'

/** Options for the places of data and configuration, with paths as given. */
export interface Where {
  readonly data?: string | undefined
  readonly config?: string | undefined
}

const configActions = ['pull', 'push', 'diff'] as const

/** Whether a command may write, as its options say. */
export interface Consent {
  readonly isDryRun: boolean
  readonly isSure: boolean
}

/** The parsed command line. */
export type AskedCommand = ReturnType<typeof readArguments>

/** The arguments of a command. */
export type AskedOf<K extends AskedCommand['kind']> = Omit<Extract<AskedCommand, { readonly kind: K }>, 'kind'>

const always: readonly OptionName[] = ['help', 'version']

/** Parses the arguments after the program's name. */
export function readArguments(all: readonly string[]) {
  const end = all.indexOf('--')
  const own = end < 0 ? all : all.slice(0, end)
  const [verb = '', ...rest] = own
  const command = isCommand(verb) ? verb : null
  try {
    if (!command) return readProgram(verb, rest)
    if (command === 'help') return readHelp(rest)
    const action = command === 'config' && !rest[0]?.startsWith('-') ? rest.shift() : undefined
    const names: string[] | null = command === 'add' || command === 'replay' ? [] : null
    const given = readOptions(rest, commands[command].options, command === 'dev', names)
    if (given.help) return { kind: 'help' as const, command }
    if (given.version) return { kind: 'version' as const }
    if (end >= 0 && command !== 'dev') throw new Misunderstood(`rxauth ${command} runs no command after --`)
    if (end >= 0 && !all[end + 1]) throw new Misunderstood('the command after -- is missing')
    if (command === 'config') return readConfig(action, given)
    return readCommand(command, given, names ?? (end < 0 ? [] : all.slice(end + 1)))
  } catch (error) {
    if (!(error instanceof Misunderstood)) throw error
    const usage = commands[command ?? 'dev'].usage
    const help = command === null || command === 'help' ? 'rxauth --help' : `rxauth ${command} --help`
    return { kind: 'misunderstood' as const, message: `rxauth: ${error.message}\nTry: ${usage}, or ${help}` }
  }
}

function readProgram(verb: string, rest: readonly string[]) {
  if (verb === '') throw new Misunderstood(`the command is missing: ${Object.keys(commands).join(', ')}`)
  if (!verb.startsWith('-')) throw unknownCommand(verb)
  const given = readOptions([verb, ...rest], always, false)
  return given.version && !given.help ? { kind: 'version' as const } : { kind: 'help' as const, command: null }
}

function readHelp([about, ...rest]: readonly string[]) {
  if (rest[0] !== undefined) throw new Misunderstood(`help takes one command, not "${rest[0]}" besides`)
  if (about === undefined || about === '--help' || about === '-h') return { kind: 'help' as const, command: null }
  if (isCommand(about)) return { kind: 'help' as const, command: about }
  throw unknownCommand(about)
}

function unknownCommand(word: string): Misunderstood {
  return new Misunderstood(`"${word}" is not a command of rxauth${didYouMean(nearest(word, Object.keys(commands)))}`)
}

function readConfig(word: string | undefined, given: GivenOptions) {
  const action = configActions.find(each => each === word)
  if (!action) {
    const said = word === undefined ? 'is missing' : `is not "${word}"${didYouMean(nearest(word, [...configActions]))}`
    throw new Misunderstood(`the word after config ${said}: ${configActions.join(', ')}`)
  }
  const isDryRun = given['dry-run'] !== undefined
  if (isDryRun && action !== 'push')
    throw new Misunderstood(`--dry-run is for rxauth config push; ${action} pushes nothing`)
  return {
    kind: 'config' as const,
    action,
    file: last(given, 'file'),
    level: oneOf(given, 'level', configLevels) ?? 'branch',
    isDryRun,
  }
}

function readReplay({ why, strict, minimise, keep = [] }: GivenOptions, [file, more]: readonly string[]) {
  if (file === undefined) throw new Misunderstood('the file of the recording is missing; "-" is standard input')
  if (more !== undefined) throw new Misunderstood(`replay takes one file, not "${more}" besides`)
  if (keep.length > 0 && !minimise) throw new Misunderstood('--keep is for --minimise; without it nothing is left out')
  const number = keep.at(-1)
  if (number !== undefined && !/^\d{1,6}$/.test(number))
    throw new Misunderstood(`--keep takes the number of an event, not "${number}"`)
  return {
    kind: 'replay' as const,
    file,
    asksWhy: why !== undefined,
    isStrict: strict !== undefined,
    minimises: minimise !== undefined,
    keep: number === undefined ? undefined : Number(number),
  }
}

function readCommand(kind: Exclude<CommandName, 'help' | 'config'>, given: GivenOptions, words: readonly string[]) {
  const where = { data: last(given, 'data'), config: last(given, 'config') }
  const consent = { isDryRun: given['dry-run'] !== undefined, isSure: given.yes !== undefined }
  switch (kind) {
    case 'seed':
      return { kind, ...where, seed: last(given, 'seed') }
    case 'reset':
      return { kind, ...where, isSure: consent.isSure }
    case 'types':
      return { kind, ...where, out: last(given, 'out') }
    case 'init':
      return { kind, ...consent, framework: oneOf(given, 'framework', frameworkNames) }
    case 'add':
      return { kind, ...consent, names: words, to: last(given, 'to'), isUpdate: given.update !== undefined }
    case 'mcp':
      return { kind, url: last(given, 'url'), config: where.config }
    case 'replay':
      return readReplay(given, words)
    case 'dev':
      return {
        kind,
        ...where,
        seed: last(given, 'seed'),
        host: last(given, 'host'),
        port: portIn(given),
        wire: oneOf(given, 'wire', wires),
        isStrict: given.strict !== undefined,
        opens: given.open !== undefined,
        isJson: given.json !== undefined,
        logs: given.log !== undefined,
        allowedHosts: given['allow-host'] ?? [],
        allowedOrigins: given['allow-origin'] ?? [],
        webhooks: given.webhook ?? [],
        command: words,
      }
  }
}

/** The value of an option that counts once, of those that were given. */
function last(given: GivenOptions, name: OptionName): string | undefined {
  return given[name]?.at(-1)
}

function portIn(given: GivenOptions): number | undefined {
  const text = last(given, 'port')
  if (text === undefined) return undefined
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new Misunderstood(`--port takes a number from 0 to 65535, not "${text}"`)
}

function oneOf<T extends string>(given: GivenOptions, name: OptionName, known: readonly T[]): T | undefined {
  const text = last(given, name)
  const found = known.find(each => each === text)
  if (found !== undefined || text === undefined) return found
  const hint = didYouMean(nearest(text, known))
  throw new Misunderstood(`--${name} takes one of ${known.join(', ')}, not "${text}"${hint}`)
}

/** An error in the arguments. */
class Misunderstood extends Error {}

/** The texts that were given for each option, in their order; a switch has an empty one. */
type GivenOptions = Partial<Record<OptionName, readonly string[]>>

/** Parses options. Words without an option go to `names`, and are refused where there is none. */
function readOptions(
  given: readonly string[],
  known: readonly OptionName[],
  takesCommand: boolean,
  names: string[] | null = null,
): GivenOptions {
  const values: Partial<Record<OptionName, string[]>> = {}
  const { tokens } = parseArgs({
    args: [...given],
    options: Object.fromEntries(
      known.map(name => {
        const option: CommandOption = options[name]
        const short = option.short === undefined ? {} : { short: option.short }
        return [name, { type: option.value === undefined ? 'boolean' : 'string', ...short }]
      }),
    ),
    strict: false,
    tokens: true,
  })
  const hint = takesCommand ? '; a command comes after --' : ''
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional' && names) {
      names.push(token.value)
      continue
    }
    if (token.kind === 'positional') throw new Misunderstood(`unknown option "${token.value}"${hint}`)
    const name = known.find(each => each === token.name)
    const isSwitch = name !== undefined && !('value' in options[name])
    if (name === undefined || (isSwitch && token.value !== undefined)) {
      const text = token.value !== undefined && token.inlineValue ? `${token.rawName}=${token.value}` : token.rawName
      const meant = nearest(
        token.rawName,
        known.filter(each => each !== name).map(each => `--${each}`),
      )
      if (isSwitch) throw new Misunderstood(`unknown option "${text}": --${name} takes no value`)
      throw new Misunderstood(`unknown option "${text}"${didYouMean(meant) || hint}`)
    }
    // A value never looks like an option: in "--port --strict" the port is missing.
    const isMissing = !isSwitch && (!token.value || (!token.inlineValue && token.value.startsWith('-')))
    if (isMissing) throw new Misunderstood(`--${name} needs a value`)
    ;(values[name] ??= []).push(token.value ?? '')
  }
  return values
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
