import { plain } from '../user-app/place'

/** The lines around a change that show where it is. */
const context = 3

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/**
 * What leads from one text to another, as `diff -u` writes it. Lines that differ only in what a formatter changes count as the
 * same; null if all do.
 */
export function unifiedDiff(from: { name: string; text: string }, to: { name: string; text: string }): string | null {
  const [own, theirs] = [linesOf(from.text), linesOf(to.text)]
  const lines = aligned(own.map(plain), theirs.map(plain)).map(([i, j]): Line => {
    if (i < 0) return { sign: '+', text: theirs[j] ?? '' }
    return { sign: j < 0 ? '-' : ' ', text: own[i] ?? '' }
  })
  return written(from.name, to.name, lines)
}

function written(from: string, to: string, lines: readonly Line[]): string | null {
  if (lines.every(({ sign, text }) => sign === ' ' || text.trim() === '')) return null
  return [`--- ${from}`, `+++ ${to}`, ...hunks(lines)].join('\n')
}

/**
 * What another text has that is new since both were copied from a third one, of whose lines the hashes are known: the lines to add to
 * the own text, and to take from it. Lines of which only the own text differs from what was copied count as the same; null if all do.
 */
export function newsDiff(
  from: { name: string; text: string },
  to: { name: string; text: string },
  copied: { readonly lines: readonly string[]; readonly hash: (line: string) => string },
): string | null {
  const [own, theirs] = [linesOf(from.text), linesOf(to.text)]
  const copiedOf = (lines: readonly string[]) =>
    new Set(aligned(copied.lines, lines.map(copied.hash)).flatMap(([i, j]) => (i < 0 ? [] : [j])))
  const [inOwn, inTheirs] = [copiedOf(own), copiedOf(theirs)]
  const lines = aligned(own.map(plain), theirs.map(plain)).flatMap(([i, j]): Line[] => {
    if (i < 0) return inTheirs.has(j) ? [] : [{ sign: '+', text: theirs[j] ?? '' }]
    return [{ sign: j < 0 && inOwn.has(i) ? '-' : ' ', text: own[i] ?? '' }]
  })
  return written(from.name, to.name, lines)
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

/** The places of the lines that both have, and of those that only one has: -1 is the place in the other. */
function aligned(from: readonly string[], to: readonly string[]): (readonly [i: number, j: number])[] {
  const width = to.length + 1
  // The length of the longest common part of what follows each pair of places.
  const common = new Uint32Array((from.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      common[i * width + j] = from[i] === to[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const places: (readonly [i: number, j: number])[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length)
    if (i < from.length && j < to.length && from[i] === to[j]) places.push([i++, j++])
    else if (i < from.length && (j === to.length || at(i + 1, j) >= at(i, j + 1))) places.push([i++, -1])
    else places.push([-1, j++])
  return places
}

/** The changed lines with those around them, each group below a line that says where it is. */
function hunks(lines: readonly Line[]): string[] {
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  )
  const output: string[] = []
  let [fromLine, toLine] = [1, 1]
  for (const [index, { sign, text }] of lines.entries()) {
    if (isShown[index] && !isShown[index - 1]) {
      const end = isShown.indexOf(false, index)
      const hunk = lines.slice(index, end < 0 ? undefined : end)
      const count = (other: '-' | '+') => hunk.filter(line => line.sign !== other).length
      output.push(`@@ -${fromLine},${count('+')} +${toLine},${count('-')} @@`)
    }
    if (isShown[index]) output.push(`${sign}${text}`.trimEnd())
    if (sign !== '+') fromLine++
    if (sign !== '-') toLine++
  }
  return output
}
