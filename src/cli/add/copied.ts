import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { isRecord } from '../../core/values'
import { fileAt, textAt } from '../user-app/place'
import { bare, linesOf } from './diff'
import { plain } from '../user-app/place'

/** The file beside the screens that tells the changes of the user from those of an update: it has what was copied. */
const recordFile = '.rxauth-add.json'

const about =
  'Written by rxauth add. It has a short hash of each line that was copied, so that after an update the changes of rxauth are told from yours. Keep it in version control.'

/** A text as it was copied. */
export interface Copy {
  /** The hash of all that a formatter keeps. */
  readonly whole: string
  /** The hash of each line. */
  readonly lines: readonly string[]
}

const charactersOfLine = 4

const hashOf = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length)

export const lineHash = (line: string) => hashOf(plain(line), charactersOfLine)

/** Whether a file is as it was copied, but for what a formatter changes. */
export function isUntouched(text: string, { whole }: Copy): boolean {
  return hashOf(bare(text), 12) === whole
}

/** The record of an app: the hashes by path, relative to the folder of the screens. */
export class CopyRecord {
  readonly path: string
  /** As it is in the app; null if there is none. */
  readonly found: string | null
  readonly #to: string
  readonly #files: Record<string, string>

  constructor(folder: string, to: string) {
    this.#to = to
    this.path = posix.join(to, recordFile)
    this.found = fileAt(folder, this.path) === null ? null : textAt(folder, this.path)
    this.#files = this.found === null ? {} : filesIn(this.found, this.path)
  }

  /** The text that was copied to a path; undefined if that is not known. */
  copyAt(path: string): Copy | undefined {
    const key = this.#keyOf(path)
    const [whole, lines] = (Object.hasOwn(this.#files, key) ? this.#files[key] : undefined)?.split(' ') ?? []
    if (whole === undefined || lines === undefined) return undefined
    return { whole, lines: lines.match(/.{4}/g) ?? [] }
  }

  note(path: string, text: string): void {
    this.#files[this.#keyOf(path)] = `${hashOf(bare(text), 12)} ${linesOf(text).map(lineHash).join('')}`
  }

  text(): string {
    const files = Object.fromEntries(Object.entries(this.#files).sort(([one], [other]) => (one < other ? -1 : 1)))
    return `${JSON.stringify({ about, files }, null, 2)}\n`
  }

  #keyOf(path: string): string {
    return posix.relative(this.#to, path)
  }
}

function filesIn(text: string, path: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && isRecord(value['files']))
      return Object.fromEntries(
        Object.entries(value['files']).flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : [])),
      )
  } catch {
    // A text that is no JSON is refused below.
  }
  throw new Error(`${path} is broken, as by a merge: restore it, or delete it, after which changes are not told apart`)
}
