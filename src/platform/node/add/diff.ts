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
  const lines = compared(linesOf(from.text), linesOf(to.text))
  if (lines.every(({ sign, text }) => sign === ' ' || text.trim() === '')) return null
  return [`--- ${from.name}`, `+++ ${to.name}`, ...hunks(lines)].join('\n')
}

/** Whether only a formatter has been at work: blanks, line breaks, quotes, semicolons, commas at ends, and brackets around values. */
export function isReformatted(text: string, other: string): boolean {
  const bare = (each: string) =>
    each
      .replaceAll(/\{\s*["'] ["']\s*\}/g, '')
      .replaceAll(/[\s;()]/g, '')
      .replaceAll(/,(?=[\]}>]|$)/g, '')
      .replaceAll(/["'`]/g, '"')
  return bare(text) === bare(other)
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}

/** All lines of both texts, with a sign before those of only one of them. */
function compared(from: readonly string[], to: readonly string[]): Line[] {
  const [ours, theirs] = [from.map(plain), to.map(plain)]
  const width = to.length + 1
  // The length of the longest common part of what follows each pair of places.
  const common = new Uint32Array((from.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      common[i * width + j] = ours[i] === theirs[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && ours[i] === theirs[j]) {
      lines.push({ sign: ' ', text: from[i] ?? '' })
      i++
      j++
    } else if (i < from.length && (j === to.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ sign: '-', text: from[i++] ?? '' })
    else lines.push({ sign: '+', text: to[j++] ?? '' })
  }
  return lines
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
