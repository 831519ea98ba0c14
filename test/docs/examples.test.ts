import { expectedOutput, guides, readExamples, run, typeErrors } from './blocks'
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

  it.each(examples)('$name compiles', example => {
    expect(errors.get(example)).toBe('')
  })

  it.each(examples.filter(({ runs }) => runs))('$name prints what it says', async example => {
    expect(await run(example, load)).toEqual(expectedOutput(example.code))
  })
})
