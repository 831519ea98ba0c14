import { transformSync } from 'esbuild'
import { createHash } from 'node:crypto'
import { mutated, type Mutation } from './mutations'

/** A mutation of a file, with the file's text before it. */
export interface Mutant extends Mutation {
  readonly file: string
  readonly text: string
}

/**
 * The mutants of a night: each night goes on where the one before has ended, and begins anew when all have been tried. Their order
 * is that of digests, so that a night has mutants of many files, and a change of one file moves those of others by a few places
 * only. Mutants with syntax errors, which would fail in every test, are left out.
 */
export function night(number: number, mutants: readonly Mutant[], count: number): Mutant[] {
  const seen = new Map<string, number>()
  const ordered = mutants
    .map(mutant => ({ mutant, digest: digestOf(mutant, seen) }))
    .sort((one, other) => (one.digest < other.digest ? -1 : Number(one.digest > other.digest)))
  const first = (number % nights(mutants, count)) * count
  return ordered
    .slice(first, first + count)
    .map(({ mutant }) => mutant)
    .filter(parses)
}

/** How many nights all mutants take. */
export function nights({ length }: readonly Mutant[], count: number): number {
  return Math.max(1, Math.ceil(length / count))
}

/** Of what changes, and not of its place in the file; the same change in several places has several. */
function digestOf({ file, text, start, end, replacement }: Mutant, seen: Map<string, number>): string {
  const change = JSON.stringify([file, text.slice(start, end), replacement])
  const before = seen.get(change) ?? 0
  seen.set(change, before + 1)
  return createHash('sha256').update(`${before} ${change}`).digest('hex')
}

function parses(mutant: Mutant): boolean {
  try {
    transformSync(mutated(mutant.text, mutant), {
      loader: mutant.file.endsWith('x') ? 'tsx' : 'ts',
      logLevel: 'silent',
    })
    return true
  } catch {
    return false
  }
}
