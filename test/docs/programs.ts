import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export const root = join(__dirname, '../..')

/** Files that are compiled together, with the compiler options of the tests. */
export interface Program {
  /** By paths that need not exist: they can import each other, and packages. */
  readonly texts?: Readonly<Record<string, string>>
  /** Other files of it, by path from the root of the repository. */
  readonly files?: readonly string[]
  /** Those of which the exported names are asked for. */
  readonly entries?: readonly string[]
  /** Exported types of the last text whose members are asked for. */
  readonly unions?: readonly string[]
}

/** An exported name with its docstring. */
export interface Exported {
  readonly name: string
  /** `src/entities/teams/client.ts:12`, the declaration. */
  readonly at: string
  readonly summary: string
  readonly example: string
  readonly isType: boolean
  /** A type, or the schema of one. */
  readonly isShape: boolean
}

export interface Compiled {
  /** The compiler's messages about each text, each with its line; empty: none. */
  readonly errors: Readonly<Record<string, string>>
  /** The exported names of each entry. */
  readonly exported: readonly (readonly Exported[])[]
  /** The members of each type, with the texts that each may be, sorted. */
  readonly unions: Readonly<Record<string, readonly (readonly [member: string, texts: readonly string[]])[]>>
}

/** Programs of which none knows what another one declares. The compiler reads the libraries once for all of them. */
export function compilePrograms<const P extends readonly Program[]>(
  ...programs: P
): { readonly [K in keyof P]: Compiled } {
  const printed = execFileSync(process.execPath, [join(__dirname, 'compile.mjs')], {
    input: JSON.stringify(programs),
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
  return JSON.parse(printed) as { readonly [K in keyof P]: Compiled }
}
