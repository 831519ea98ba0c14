import { expectedOutput, readExamples, run, typeErrors, type Example } from './blocks'

function page(...lines: string[]): Example[] {
  return readExamples('page.md', lines.join('\n'))
}

const part = (line: number, shown: string) => ({ line, setUp: '', shown, check: '' })

const load = (name: string): unknown => jest.requireActual(name)

async function passes(example: Example): Promise<boolean> {
  const printed = await run(example, load)
  return JSON.stringify(printed) === JSON.stringify(expectedOutput(example.code))
}

describe('a page', () => {
  it('is read block by block, with what continues a block added to it', () => {
    const examples = page(
      '# A',
      '```ts',
      '// a.ts',
      'const a = 1',
      '```',
      'and',
      '```ts',
      '// continues a.ts',
      'a // → 1',
      '```',
      '```sh',
      'ls',
      '```',
      '```tsx no-run',
      'b',
      '```',
      '## In React',
      '```tsx renders',
      'c',
      '```',
    )
    const code = '// a.ts\nconst a = 1\n// continues a.ts\na // → 1\n'
    expect(examples).toEqual([
      { name: 'page.md:2', code, shown: [code], extension: 'ts', runs: true, file: 'a.ts', parts: expect.anything() },
      { name: 'page.md:14', code: 'b\n', shown: ['b\n'], extension: 'tsx', runs: false, parts: [part(14, 'b\n')] },
      {
        ...{ name: 'page.md:18', code: 'c\n', shown: ['c\n'], extension: 'tsx', runs: false, renders: 'In React' },
        parts: [part(18, 'c\n')],
      },
    ])
  })

  it('has set-up and checks that readers do not see', () => {
    const examples = page(
      '<!-- set-up',
      'const a = 1',
      '-->',
      '',
      '```ts',
      '// b.ts',
      'const b = a',
      '```',
      '<!-- check',
      'b // → 1',
      '-->',
      '<!-- set-up',
      'const c = 2',
      '-->',
      '```ts',
      '// continues b.ts',
      'a + c // → 3',
      '```',
    )
    const code = 'const a = 1\n// b.ts\nconst b = a\nb // → 1\nconst c = 2\n// continues b.ts\na + c // → 3\n'
    const shown = ['// b.ts\nconst b = a\n// continues b.ts\na + c // → 3\n']
    const parts = [
      { line: 5, setUp: 'const a = 1\n', shown: '// b.ts\nconst b = a\n', check: 'b // → 1\n' },
      { line: 15, setUp: 'const c = 2\n', shown: '// continues b.ts\na + c // → 3\n', check: '' },
    ]
    expect(examples).toEqual([{ name: 'page.md:5', code, shown, extension: 'ts', runs: true, file: 'b.ts', parts }])
    // What readers do not see gives them no names.
    expect([...typeErrors(examples).values()]).toEqual([expect.stringMatching("Cannot find name 'a'")])
    expect(() => page('```ts', 'x', '```', '<!-- set-up', 'y', '-->')).toThrow('no block after the last set-up')
    expect(() => page('<!-- check', 'y', '-->')).toThrow('no block before the first check')
    expect(() => page('Text. <!-- set-up', 'y', '-->', '```ts', 'x', '```')).toThrow('text stands before')
  })

  it('has long set-up and checks in a file beside the page', () => {
    const checks = '// set-up first\nconst a = 1\n\n// check first\na // → 1\n'
    const read = (...lines: string[]) => readExamples('page.md', lines.join('\n'), checks)
    const block = ['```ts', 'a', '```']
    const [{ parts } = { parts: [] }] = read('<!-- set-up first -->', ...block, '<!-- check first -->')
    expect(parts).toEqual([{ line: 2, setUp: 'const a = 1\n', shown: 'a\n', check: 'a // → 1\n' }])
    expect(() => read('<!-- set-up second -->', ...block)).toThrow('page.md: there is no part "set-up second"')
    expect(() => read('<!-- set-up first -->', ...block)).toThrow('page.md: the page names no part "check first"')
  })

  it('has programs that run together, each of which stands alone', async () => {
    const lines = [
      '```ts',
      'const a = 1',
      '```',
      '```ts together',
      'const b = 2',
      '```',
      '<!-- check',
      'a + b // → 3',
      '-->',
    ]
    const [example, ...others] = page(...lines)
    expect(others).toEqual([])
    expect(example?.shown).toEqual(['const a = 1\n', 'const b = 2\n'])
    expect(await passes(example!)).toBe(true)
  })

  it('with a word that means nothing is refused', () => {
    expect(() => page('```ts norun', 'x', '```')).toThrow('page.md:1')
    expect(() => page('```ts', '// continues a.ts', 'x', '```')).toThrow('page.md:1: there is no block "a.ts"')
  })
})

describe('an example', () => {
  it('that prints its expected output passes', async () => {
    const [example] = page(
      '```ts',
      "import { of } from 'rxjs'",
      'of(1, 2).subscribe(value => console.log(value))',
      '// → 1',
      '// → 2',
      "await Promise.resolve({ a: 'x' }) // → { a: 'x' }",
      "console.log('done') // → done",
      '```',
    )
    expect(await passes(example!)).toBe(true)
  })

  it.each([
    ['1 + 1 // → 3'],
    ["console.log('a') // → b"],
    ["console.log('a')"],
    ['// → never'],
    ['Promise.resolve(1) // → 1'],
  ])('that prints something else fails: %s', async code => {
    expect(await passes(page('```ts', code, '```')[0]!)).toBe(false)
  })

  it('that throws fails', async () => {
    await expect(passes(page('```ts', "await Promise.reject(new Error('broken'))", '```')[0]!)).rejects.toThrow(
      'broken',
    )
  })
})
