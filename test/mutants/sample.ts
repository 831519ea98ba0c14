import { transformSync } from 'esbuild'
import { mutated } from './mutations'
import type { Mutation } from './mutations'

/** A mutation of a file, with the file's text before it. */
export interface Mutant extends Mutation {
  readonly file: string
  readonly text: string
}

/** All mutants are equally likely, except those with syntax errors, which would fail in every test. */
export function picked(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = numbers(seed)
  const left = [...mutants]
  const found: Mutant[] = []
  while (found.length < count && left.length > 0)
    found.push(...left.splice(Math.floor(random() * left.length), 1).filter(parses))
  return found
}

/** Numbers from 0 to 1 that the seed determines (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
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
