import { readExamples, typeErrors } from '../docs/blocks'

const cases = [
  {
    lacks: 'signedOut',
    line: "query(async (_, { id }: { id: string }) => [id], { key: 'notes', ownedBy: 'session' })",
  },
  { lacks: 'key', line: "query(async (_, { id }: { id: string }) => [id], { ownedBy: 'app' })" },
  { lacks: 'refreshes', line: 'mutation(async (_, { id }: { id: string }) => id, {})' },
  { lacks: 'refreshes', line: 'mutation(async (_, { id }: { id: string }) => id, { optimistic: () => [] })' },
]

describe('a definition over an own backend', () => {
  let said: readonly string[] = []
  beforeAll(() => {
    const blocks = cases.map(({ line }) =>
      ['```ts', "import { mutation, query } from 'rxauth'", `export const made = ${line}`, '```', ''].join('\n'),
    )
    // One program for all of them: the compiler takes seconds.
    said = [...typeErrors(readExamples('app.md', blocks.join('\n'))).values()]
  })

  it.each(cases.map((each, index) => ({ ...each, index })))('without $lacks: $line', ({ lacks, index }) => {
    const names = [...said[index]!.matchAll(/Property '(\w+)' is missing/g)].map(([, name]) => name)
    expect(names).toEqual([lacks])
    // Nothing about the function, which is right.
    expect(said[index]).not.toContain('implicitly')
  })
})
