import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { isRecord, parseJson } from '../../core/values'
import { fileAt, textAt, plain } from '../user-app/place'
import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'

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

const lineHash = (line: string) => hashOf(plain(line), charactersOfLine)

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

  /** The paths of all that was copied into the folder of the screens. */
  paths(): readonly string[] {
    return Object.keys(this.#files).flatMap(key => (key.startsWith('..') ? [] : [posix.join(this.#to, key)]))
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
  const value = parseJson(text)
  if (isRecord(value) && isRecord(value['files']))
    return Object.fromEntries(
      Object.entries(value['files']).flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : [])),
    )
  throw new Error(`${path} is broken, as by a merge: restore it, or delete it, after which changes are not told apart`)
}

interface NamedText {
  readonly name: string
  readonly text: string
}

/** Which lines of the own text, or of the other one, the text has from which both were copied. */
type Copied = (lines: readonly string[], isOwn: boolean) => readonly boolean[]

/**
 * The steps from one text to another, as `diff -u` writes them. Lines that differ only in what a formatter changes count as the
 * same; null if all do.
 */
export function unifiedDiff(from: NamedText, to: NamedText): string | null {
  return patch(from, to, (lines, isOwn) => lines.map(() => isOwn))
}

/**
 * The news of another text since both were copied from a third one, of whose lines the hashes are known: the lines to add to the own
 * text, and to take from it. Lines of which only the own text differs from what was copied count as the same; null if all do.
 */
export function newsDiff(from: NamedText, to: NamedText, copied: Copy): string | null {
  return patch(from, to, lines =>
    diffArrays([...copied.lines], lines.map(lineHash)).flatMap(({ added, removed, value }) =>
      removed ? [] : value.map(() => !added),
    ),
  )
}

/** The steps to the own lines with the news of the others: a line that one side alone has stays where it is new, and goes where it was copied. */
function patch(from: NamedText, to: NamedText, copied: Copied): string | null {
  const marked = (lines: readonly string[], isOwn: boolean) => {
    const areCopied = copied(lines, isOwn)
    return lines.map((text, index) => ({ text, plain: plain(text), isNew: areCopied[index] !== true }))
  }
  const own = marked(linesOf(from.text), true)
  // A line that is the same in both is that of the second list.
  const wanted = diffArrays(marked(linesOf(to.text), false), own, {
    comparator: (one, other) => one.plain === other.plain,
  }).flatMap(({ added, removed, value }) => value.filter(({ isNew }) => !(added || removed) || isNew))
  const [before, after] = [own, wanted].map(lines => lines.map(({ text }) => `${text}\n`).join('')) as [string, string]
  const steps = structuredPatch(from.name, to.name, before, after, undefined, undefined, { context: 3 })
  const isBlank = (line: string) => line.startsWith(' ') || line.slice(1).trim() === ''
  if (steps.hunks.every(({ lines }) => lines.every(isBlank))) return null
  const lines = formatPatch(steps, FILE_HEADERS_ONLY).replace(/\n$/, '').split('\n')
  return lines.map(line => line.trimEnd()).join('\n')
}

/** Whether only a formatter has been at work: blanks, line breaks, quotes, semicolons, commas at ends, and brackets around values. */
export function isReformatted(text: string, other: string): boolean {
  return bare(text) === bare(other)
}

/** The text without all that a formatter may change. */
export function bare(text: string): string {
  return text
    .replaceAll(/\{\s*["'] ["']\s*\}/g, '')
    .replaceAll(/\s/g, '')
    .replaceAll(/,(?=[\])}>]|$)/g, '')
    .replaceAll(/[;()]/g, '')
    .replaceAll(/["'`]/g, '"')
}

export function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}
