import { expectedOutput, guides, readExamples, run, typeErrors, type Example } from './blocks'
import { blocksOf } from './pasted'
import { openWorld } from './world'

/** The modules of this test, which the examples share with it; of Solid what browsers get, since servers have no signals. */
const load = (name: string): unknown => jest.requireActual(name === 'solid-js' ? 'solid-js/dist/solid.cjs' : name)
/** Beside their blocks belong files that a command copies (screens.test.ts), and packages that nights fetch (test/everywhere). */
const elsewhere = ['docs/screens.md', 'docs/guides/expo.md', 'docs/guides/stack-auth-tests.md']
const examples = guides()
  .filter(file => !elsewhere.includes(file))
  .flatMap(file => readExamples(file))

const mistaken = [
  '```ts',
  "import { createKit } from 'rxauth'",
  'createKit({ tokenz: 1 })',
  '```',
  '```ts',
  "import { nothing } from 'rxauth'",
  'nothing',
  '```',
  '```tsx',
  "import { useStore } from 'rxauth/react'",
  'export const used = <b>{String(useStore(null).status)}</b>',
  '```',
]
const [wrongType, wrongName, right] = readExamples('page.md', mistaken.join('\n')) as [Example, Example, Example]

describe('the examples in README and guides', () => {
  let errors: Map<Example, string>
  beforeAll(() => {
    // One program: most of its time goes into the types that all of them use.
    errors = typeErrors([...examples, wrongType, wrongName, right])
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

  it('tell password managers what each field is for', () => {
    const fields = guides().flatMap(page =>
      blocksOf(page)
        .flatMap(({ code }) => [...code.matchAll(/<input\s[^>]*type="(?:password|email)".*?\/>/gs)])
        .map(String),
    )
    expect(fields.length).toBeGreaterThan(10)
    expect(fields.filter(field => !/\sautocomplete="/i.test(field))).toEqual([])
  })

  it('show a test platform only where it is the subject', () => {
    // The examples of README and of the start page are to be run as they stand.
    const subjects = [
      ...['README.md', 'docs/index.md', 'docs/testing.md', 'docs/dev-server.md', 'docs/console.md'],
      'docs/guides/stack-auth-tests.md',
    ]
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

  it('with a wrong type or name fail, where it stands', () => {
    expect(errors.get(wrongType)).toMatch(/^line 2: .*tokenz/s)
    expect(errors.get(wrongName)).toMatch(/^line 1: .*nothing/s)
    expect(errors.get(right)).toBe('')
  })

  it.each(examples)('$name compiles', example => {
    expect(errors.get(example)).toBe('')
  })

  it.each(examples.filter(({ runs }) => runs))(
    '$name prints its expected output, and no error or warning',
    async example => {
      const world = openWorld()
      const problems: unknown[] = []
      for (const method of ['error', 'warn'] as const)
        jest.spyOn(console, method).mockImplementation((...printed) => void problems.push(...printed))
      try {
        const printed = await run(example, name => (name === 'rxauth' ? world.rxauth : load(name)), {}, world)
        expect(printed).toEqual(expectedOutput(example.code))
        // One about a result that was not read comes a second later, while another example runs.
        expect(problems.filter(problem => !String(problem).includes('has not looked at its result'))).toEqual([])
      } finally {
        jest.restoreAllMocks()
        world.close()
      }
    },
  )
})
