import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'
import { documentedNames, entries, exampleErrors, type Documented } from './reference-examples'

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

  it('say of each call that the page on errors lists so that the hosted platform may answer 500', () => {
    const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
    const section = page.split(/^##? /m).find(text => text.startsWith('Where the hosted platform answers 500\n'))!
    const listed = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, calls]) => calls!.match(/\w+/g)!)
    const said = documented.filter(({ summary }) => /answer 500 \(REQUEST_FAILED,\s`status` 500\)/.test(summary))
    expect(new Set(said.map(({ name }) => name))).toEqual(new Set(listed))
    expect(listed).toContain('sendEmail')
  })

  // What a type is for shows in the examples of the functions that take or return it.
  it.each(documented.filter(({ isShape }) => !isShape))('of $name ($at) have an example', one => {
    expect(one.example).not.toBe('')
  })

  it.each(documented.filter(({ example }) => example))('of $name ($at) have an example that compiles', one => {
    expect(one.example).toContain(one.name)
    expect(errors.get(one)).toBe('')
  })
})
