import { parseArgs } from 'node:util'
import { nearest } from '../platform-inside'
import { options } from './commands'
import type { CommandOption, OptionName } from './commands'

/** An error in the arguments. */
export class Misunderstood extends Error {}

/** The texts that were given for each option, in their order; a switch has an empty one. */
export type GivenOptions = Partial<Record<OptionName, readonly string[]>>

/** Parses options. Words without an option go to `names`, and are refused where there is none. */
export function readOptions(
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

export function didYouMean(meant: string | undefined): string {
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
