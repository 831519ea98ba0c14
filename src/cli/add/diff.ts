import { diffArrays, structuredPatch } from 'diff'
import { plain } from '../user-app/place'

interface NamedText {
  readonly name: string
  readonly text: string
}

/** A line of one of two texts that are compared. */
interface ComparedLine {
  readonly text: string
  /** The text without what a formatter may change in it. */
  readonly plain: string
  /** Whether the text that both were copied from has the line. */
  readonly isCopied: boolean
}

/**
 * The steps from one text to another, as `diff -u` writes them. Lines that differ only in what a formatter changes count as the
 * same; null if all do.
 */
export function unifiedDiff(from: NamedText, to: NamedText): string | null {
  const [own, theirs] = [linesOf(from.text), linesOf(to.text)]
  return patch(
    from,
    to,
    own,
    merged(
      compared(own, () => true),
      compared(theirs, () => false),
    ),
  )
}

/**
 * The news of another text since both were copied from a third one, of whose lines the hashes are known: the lines to add to the own
 * text, and to take from it. Lines of which only the own text differs from what was copied count as the same; null if all do.
 */
export function newsDiff(
  from: NamedText,
  to: NamedText,
  copied: { readonly lines: readonly string[]; readonly hash: (line: string) => string },
): string | null {
  const marked = (lines: readonly string[]) => {
    const flags = diffArrays([...copied.lines], lines.map(copied.hash)).flatMap(({ added, removed, value }) =>
      removed ? [] : value.map(() => !added),
    )
    return compared(lines, index => flags[index] === true)
  }
  const [own, theirs] = [linesOf(from.text), linesOf(to.text)]
  return patch(from, to, own, merged(marked(own), marked(theirs)))
}

function compared(lines: readonly string[], isCopied: (index: number) => boolean): ComparedLine[] {
  return lines.map((text, index) => ({ text, plain: plain(text), isCopied: isCopied(index) }))
}

/** The own lines with the news of the others: a line that one side alone has stays where it is new, and goes where it was copied. */
function merged(own: ComparedLine[], theirs: ComparedLine[]): string[] {
  // A line that is the same in both is that of the second list.
  return diffArrays(theirs, own, { comparator: (one, other) => one.plain === other.plain }).flatMap(
    ({ added, removed, value }) =>
      value.filter(({ isCopied }) => !(added || removed) || !isCopied).map(({ text }) => text),
  )
}

function patch(from: NamedText, to: NamedText, own: readonly string[], wanted: readonly string[]): string | null {
  const [before, after] = [own, wanted].map(lines => `${lines.join('\n')}\n`) as [string, string]
  const { hunks } = structuredPatch(from.name, to.name, before, after, undefined, undefined, { context: 3 })
  if (hunks.every(({ lines }) => lines.every(line => line.startsWith(' ') || line.slice(1).trim() === ''))) return null
  const written = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.map(line => line.trimEnd()),
  ])
  return [`--- ${from.name}`, `+++ ${to.name}`, ...written].join('\n')
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
