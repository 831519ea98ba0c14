/** The known text that is most similar, if `text` may be a typing error of it; else undefined. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(text.length / 2))
  const [best] = known
    .filter(word => Math.abs(word.length - text.length) <= limit)
    .map(word => ({ word, steps: distance(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ steps }) => steps <= limit)
    .sort((a, b) => a.steps - b.steps)
  return best?.word
}

/** The number of insertions, deletions, replacements and swaps of neighbours between two texts. */
function distance(from: string, to: string): number {
  let twoBack: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(twoBack, column - 2) + 1 : Infinity,
        ),
      )
    }
    twoBack = last
    last = next
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
