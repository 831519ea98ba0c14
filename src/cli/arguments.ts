import { parseArgs } from 'node:util'
import { nearest } from '../platform-inside'
import { commands, isCommand, options } from './commands'
import type { CommandName, CommandOption, OptionName } from './commands'

/** Options for the places of data and configuration, with paths as given. */
export type Where = Partial<Pick<AskedOf<'types'>, 'data' | 'config'>>

const configActions = ['pull', 'push', 'diff'] as const

/** Whether a command may write, as its options say. */
export type Consent = Pick<AskedOf<'init'>, 'isDryRun' | 'isSure'>

type Values<O> = O extends { readonly isList: true }
  ? readonly string[]
  : O extends { readonly number: unknown }
    ? number | undefined
    : O extends { readonly of: readonly (infer T)[] }
      ? T | undefined
      : O extends { readonly value: string }
        ? string | undefined
        : boolean

type ArgumentOf<N extends OptionName> = (typeof options)[N] extends { readonly as: infer F extends string } ? F : N

type Runnable = Exclude<CommandName, 'help'>

type OptionOf<K extends Runnable> = Exclude<(typeof commands)[K]['options'][number], 'help' | 'version'>

/** The fields that are no options. */
interface CommandWords {
  readonly config: { readonly action: (typeof configActions)[number] }
  readonly add: { readonly names: readonly string[] }
  readonly replay: { readonly file: string }
  /** The command after `--`. */
  readonly dev: { readonly command: readonly string[] }
}

/** The arguments of a command: a field for each option in `commands.ts`, and its words. */
export type AskedOf<K extends Runnable> = {
  readonly [N in OptionOf<K> as ArgumentOf<N>]: Values<(typeof options)[N]>
} & (K extends keyof CommandWords ? CommandWords[K] : unknown)

/** The parsed command line. */
export type AskedCommand =
  | { readonly kind: 'help'; readonly command: CommandName | null }
  | { readonly kind: 'version' }
  | { readonly kind: 'misunderstood'; readonly message: string }
  | { [K in Runnable]: { readonly kind: K } & AskedOf<K> }[Runnable]

const always: readonly OptionName[] = ['help', 'version']

/** Parses the arguments after the program's name. */
export function readArguments(all: readonly string[]): AskedCommand {
  const end = all.indexOf('--')
  const own = end < 0 ? all : all.slice(0, end)
  const [verb = '', ...rest] = own
  const command = isCommand(verb) ? verb : null
  try {
    if (!command) return readProgram(verb, rest)
    if (command === 'help') return readHelp(rest)
    const words = command === 'config' && rest[0] !== undefined && !rest[0].startsWith('-') ? [rest.shift() ?? ''] : []
    const known: readonly OptionName[] = commands[command].options
    const given = readOptions(rest, known, command === 'dev', command === 'add' || command === 'replay' ? words : null)
    if (given.help) return { kind: 'help', command }
    if (given.version) return { kind: 'version' }
    if (end >= 0 && command !== 'dev') throw new Misunderstood(`rxauth ${command} runs no command after --`)
    if (end >= 0 && !all[end + 1]) throw new Misunderstood('the command after -- is missing')
    const fields = known.flatMap(name => {
      const { as = name }: CommandOption = options[name]
      return name === 'help' || name === 'version' ? [] : [[as, valueOf(name, given[name] ?? [])] as const]
    })
    const named = command === 'dev' ? all.slice(end < 0 ? all.length : end + 1) : words
    // The fields are those of the table, of which the type is made too.
    return { kind: command, ...Object.fromEntries(fields), ...wordsOf(command, named, given) } as AskedCommand
  } catch (error) {
    if (!(error instanceof Misunderstood)) throw error
    const usage = commands[command ?? 'dev'].usage
    const help = command === null || command === 'help' ? 'rxauth --help' : `rxauth ${command} --help`
    return { kind: 'misunderstood', message: `rxauth: ${error.message}\nTry: ${usage}, or ${help}` }
  }
}

function readProgram(verb: string, rest: readonly string[]): AskedCommand {
  if (verb === '') throw new Misunderstood(`the command is missing: ${Object.keys(commands).join(', ')}`)
  if (!verb.startsWith('-')) throw unknownCommand(verb)
  const given = readOptions([verb, ...rest], always, false)
  return given.version && !given.help ? { kind: 'version' } : { kind: 'help', command: null }
}

function readHelp([about, ...rest]: readonly string[]): AskedCommand {
  if (rest[0] !== undefined) throw new Misunderstood(`help takes one command, not "${rest[0]}" besides`)
  if (about === undefined || about === '--help' || about === '-h') return { kind: 'help', command: null }
  if (isCommand(about)) return { kind: 'help', command: about }
  throw unknownCommand(about)
}

function unknownCommand(word: string): Misunderstood {
  return new Misunderstood(`"${word}" is not a command of rxauth${didYouMean(nearest(word, Object.keys(commands)))}`)
}

/** The words of a command by their names, after the checks that no single option can make. */
function wordsOf(command: Runnable, words: readonly string[], given: GivenOptions): object {
  const [first, more] = words
  switch (command) {
    case 'config': {
      const action = configActions.find(each => each === first)
      if (!action) {
        const said =
          first === undefined ? 'is missing' : `is not "${first}"${didYouMean(nearest(first, configActions))}`
        throw new Misunderstood(`the word after config ${said}: ${configActions.join(', ')}`)
      }
      if (given['dry-run'] && action !== 'push')
        throw new Misunderstood(`--dry-run is for rxauth config push; ${action} pushes nothing`)
      return { action }
    }
    case 'replay':
      if (first === undefined) throw new Misunderstood('the file of the recording is missing; "-" is standard input')
      if (more !== undefined) throw new Misunderstood(`replay takes one file, not "${more}" besides`)
      for (const name of ['keep', 'mended'] as const)
        if (given[name] && !given.minimise)
          throw new Misunderstood(`--${name} is for --minimise; without it nothing is left out`)
      return { file: first }
    case 'add':
      return { names: words }
    case 'dev':
      return { command: words }
    default:
      return {}
  }
}

/** The value of an option of the texts that were given. The last one counts. */
function valueOf(name: OptionName, texts: readonly string[]) {
  const { value, of, number, isList }: CommandOption = options[name]
  const text = texts.at(-1)
  if (value === undefined) return text !== undefined
  if (isList) return texts
  if (text === undefined) return undefined
  if (of && !of.includes(text))
    throw new Misunderstood(`--${name} takes one of ${of.join(', ')}, not "${text}"${didYouMean(nearest(text, of))}`)
  if (!number) return text
  const [most, what] = number
  if (!/^\d+$/.test(text) || Number(text) > most) throw new Misunderstood(`--${name} takes ${what}, not "${text}"`)
  return Number(text)
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
