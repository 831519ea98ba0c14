import { night, type Mutant } from './sample'

/** A mutant that makes one text of another. */
const mutant = (text: string, replacement: string, file = 'source.ts'): Mutant => ({
  file,
  text,
  start: 0,
  end: text.length,
  replacement,
  line: 1,
})

const twenty = Array.from({ length: 20 }, (_, i) => mutant('a', `a${i}`))
const names = (mutants: readonly Mutant[]) => mutants.map(({ replacement }) => replacement)

describe('the mutants of a night', () => {
  it.each([
    [1, 'const x = <T>(a: T) => a', 'source.ts'],
    [1, 'const x = <a />', 'source.tsx'],
    [0, 'const x = <a />', 'source.ts'],
    [0, 'const x = a ?? b && c', 'source.ts'],
    [0, 'const x = { (5 + 1): a }', 'source.ts'],
  ])('are %i of: %s in %s', (count, replacement, file) => {
    expect(night(0, [mutant('a', replacement, file)], 1)).toHaveLength(count)
  })

  it('follow those of the night before, until all have been tried', () => {
    const nights = [0, 1, 2].map(number => names(night(number, twenty, 7)))
    expect(nights.map(({ length }) => length)).toEqual([7, 7, 6])
    expect(nights.flat().sort()).toEqual(names(twenty).sort())
    expect(names(night(3, twenty, 7))).toEqual(nights[0])
  })

  it('are of files far from each other', () => {
    const files = Array.from({ length: 20 }, (_, i) => mutant('a', 'b', `source-${i}.ts`))
    expect(night(0, files, 5).map(({ file }) => file)).not.toEqual(files.slice(0, 5).map(({ file }) => file))
  })

  it('have the same change of one file apart', () => {
    const many = Array.from({ length: 10 }, () => mutant('a', 'b'))
    const order = names(night(0, [...many, ...twenty], 30))
    expect(order.lastIndexOf('b') - order.indexOf('b')).toBeGreaterThan(9)
  })

  it('stay where they are in the order if another file changes', () => {
    const all = names(night(0, twenty, 20))
    const after = names(night(0, [mutant('b', 'c', 'other.ts'), ...twenty], 21))
    expect(after.filter(name => name !== 'c')).toEqual(all)
  })
})
