import { expectedOutput, guides, readExamples, run, typeErrors } from './blocks'
import { blocksOf } from './pasted'
import type { Example } from './blocks'

/** The modules of this test, which the examples share with it; of Solid what browsers get, since servers have no signals. */
const load = (name: string): unknown => jest.requireActual(name === 'solid-js' ? 'solid-js/dist/solid.cjs' : name)
const examples = guides().flatMap(file => readExamples(file))

describe('the examples in README and guides', () => {
  let errors: Map<Example, string>
  beforeAll(() => {
    errors = typeErrors(examples)
  })

  it('are there', () => {
    expect(examples.filter(({ runs }) => runs).length).toBeGreaterThan(10)
    expect(examples.some(({ name, runs }) => runs && name.startsWith('README.md'))).toBe(true)
  })

  it('show users no message of an error, which is for developers', () => {
    const shown = guides().flatMap(page =>
      blocksOf(page)
        .filter(({ language }) => /^(tsx|vue|svelte|html)$/.test(language))
        .flatMap(({ code }) => code.split('\n'))
        .filter(line => /\b\w*error\??\.message\b/i.test(line) && !line.includes('console.'))
        .map(line => `${page}: ${line.trim()}`),
    )
    expect(shown).toEqual([])
  })

  it('show a test platform only where it is the subject', () => {
    // README's example is to be run as it stands.
    const subjects = ['README.md', 'docs/testing.md', 'docs/dev-server.md', 'docs/console.md']
    const shown = guides()
      .filter(page => !subjects.includes(page))
      .flatMap(page =>
        blocksOf(page)
          .filter(({ heading }) => !/local platform$/i.test(heading))
          .filter(({ code }) => /\bplatform\.|rxauth\/platform\b/.test(code))
          .map(({ heading }) => `${page}: ${heading}`),
      )
    expect(shown).toEqual([])
  })

  it.each(examples)('$name compiles', example => {
    expect(errors.get(example)).toBe('')
  })

  it.each(examples.filter(({ runs }) => runs))('$name prints its expected output', async example => {
    expect(await run(example, load)).toEqual(expectedOutput(example.code))
  })
})
