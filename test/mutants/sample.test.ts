import { picked } from './sample'
import type { Mutant } from './sample'

/** A mutant that makes one text of another. */
const mutant = (text: string, replacement: string, file = 'source.ts'): Mutant => ({
  file,
  text,
  start: 0,
  end: text.length,
  replacement,
  line: 1,
})

describe('the sample of mutants', () => {
  it.each([
    [1, 'const x = <T>(a: T) => a', 'source.ts'],
    [1, 'const x = <a />', 'source.tsx'],
    [0, 'const x = <a />', 'source.ts'],
    [0, 'const x = a ?? b && c', 'source.ts'],
    [0, 'const x = { (5 + 1): a }', 'source.ts'],
  ])('has %i of: %s in %s', (count, replacement, file) => {
    expect(picked([mutant('a', replacement, file)], 1, 1)).toHaveLength(count)
  })

  it('has the requested size, also with mutants that do not parse', () => {
    const mutants = Array.from({ length: 20 }, (_, i) => mutant('a', i % 2 === 0 ? `a${i}` : '('))
    const sample = picked(mutants, 5, 1)
    expect(new Set(sample.filter(({ replacement }) => replacement !== '(')).size).toBe(5)
  })

  it('is the same for the same seed, and another for another', () => {
    const mutants = Array.from({ length: 20 }, (_, i) => mutant('a', `a${i}`))
    expect(picked(mutants, 5, 1)).toEqual(picked(mutants, 5, 1))
    expect(picked(mutants, 5, 1)).not.toEqual(picked(mutants, 5, 2))
  })
})
