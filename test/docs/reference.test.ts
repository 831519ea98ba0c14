import { documentedNames, entries, exampleErrors } from './reference-examples'
import type { Documented } from './reference-examples'

const documented = documentedNames()

describe('the docstrings of what the package exports', () => {
  let errors: Map<Documented, string>
  beforeAll(() => {
    errors = exampleErrors(documented)
  })

  it('are read from every entry', () => {
    expect(new Set(documented.map(({ entry }) => entry))).toEqual(new Set(Object.keys(entries)))
    expect(documented.length).toBeGreaterThan(300)
  })

  it('say what each name means', () => {
    expect(
      documented.filter(({ summary }) => !/\w.*\.$/s.test(summary)).map(({ at, name }) => `${at} ${name}`),
    ).toEqual([])
  })

  it.each(documented)('of $name ($at) have an example, which compiles', one => {
    expect(one.example).toContain(one.name)
    expect(errors.get(one)).toBe('')
  })
})
