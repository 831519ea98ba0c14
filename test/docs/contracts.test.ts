import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'
import { readContracts, testNames } from './contracts'

const contracts = readContracts(readFileSync(join(root, 'docs/contributing/contracts.md'), 'utf8'))

describe('what the kit promises', () => {
  it('is a list of promises', () => {
    expect(contracts.length).toBeGreaterThan(70)
  })

  it.each(contracts.map(({ promise, tests }) => [promise, tests] as const))('%s', (_, tests) => {
    expect(tests).not.toEqual([])
    const missing = tests.filter(({ file, name }) => !testNames(file)?.has(name))
    expect(missing).toEqual([])
  })
})

describe('the reader of contracts', () => {
  it('reads promises over several lines, with tests of several files', () => {
    const text = '# Title\n\n- It `works`\n  well. `a/b`: “one\n  two”, “three”; `c/d`: “four”\n- It ends.\n\n## Next\n'
    expect(readContracts(text)).toEqual([
      {
        promise: 'It `works` well.',
        tests: [
          { file: 'a/b', name: 'one two' },
          { file: 'a/b', name: 'three' },
          { file: 'c/d', name: 'four' },
        ],
      },
      { promise: 'It ends.', tests: [] },
    ])
  })

  it('finds tests, groups and rows of tables, and returns undefined for a missing file', () => {
    expect(testNames('docs/contracts')).toContain('is a list of promises')
    expect(testNames('docs/contracts')).toContain('the reader of contracts')
    expect(testNames('store/refresh-if-stale')).toContain('a store with subscribers that is no longer fresh loads')
    expect(testNames('docs/nowhere')).toBeUndefined()
  })
})
