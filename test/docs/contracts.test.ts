import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './blocks'
import { marksIn, marksOf, pageOf, problemsOf, readContracts } from './contracts'

const contracts = readContracts(readFileSync(join(root, 'docs/contributing/contracts.md'), 'utf8'))

/** The text of a test. `@` is the beginning of a mark, as this file would have these marks otherwise. */
const marks = (...lines: readonly string[]) => marksIn('test/a.ts', lines.join('\n').replaceAll('@', '// Promise'))

describe('what the kit promises', () => {
  it('is a list of promises', () => {
    expect(contracts.length).toBeGreaterThan(70)
  })

  it('has an id and a test for each promise, and a promise for each mark', () => {
    expect(problemsOf(contracts, marksOf(root))).toEqual([])
  })
})

describe('a mistake in promises and marks', () => {
  const list = readContracts('- It works.\n  `works`\n- It ends. `ends`\n\n## Next\n\n- It is `so`. `so-1`\n')
  const good = ['@: works, ends', "it('a', () => {})", '@: so-1', "it('b', () => {})"]

  it('is none where each promise has a test', () => {
    expect(problemsOf(list, marks(...good))).toEqual([])
  })

  it.each([
    ['a promise without a mark', ['@: works, ends', "it('a')"], 'so-1 has no test: write "@: so-1" above the test'],
    ['a mark with an unknown id', [...good, '@: work', "it('c')"], 'test/a.ts:5 names work, which is not in docs'],
    ['a mark above no test', [...good, '@: ends', "click('c')"], 'test/a.ts:5 stands above no test with a title'],
    ['a mark above a group without a title', [...good, '@: ends', 'describe(name)'], 'a.ts:5 stands above no test'],
    ['a mark at the end', [...good, '@: ends', '// so'], 'test/a.ts:5 stands above no test with a title'],
    ['a mark in the arguments of a test', [...good, "it('c',", '@: ends', '() => {})'], 'a.ts:6 stands above no test'],
    ['a mark behind a test', [...good, "it('c') @: ends"], 'test/a.ts:5 is no mark: write "@: some-id, another-id"'],
    ['a mark without an id', [...good, '@:', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark without a blank', [...good, '@:ends', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark without a colon', [...good, '@ so-1', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark without commas', [...good, '@: works ends', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark in the plural', [...good, '@s: works, ends', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark in another comment', [...good, '/** promise: ends */', "it('c')"], 'test/a.ts:5 is no mark'],
    ['a mark on a line of another comment', [...good, '/*', ' * Promise: ends', ' */', "it('c')"], 'test/a.ts:6 is no'],
  ])('is %s', (_, lines, problem) => {
    const problems = problemsOf(list, marks(...lines))
    expect(problems).toEqual([expect.stringContaining(problem.replaceAll('@', '// Promise'))])
  })

  it.each([
    ['an id of two promises', '- It ends. `ends`\n', ['ends is the id of two promises']],
    [
      'a promise without an id',
      '- It is.\n',
      ['"It is." has no id: write it in code behind the full stop, as `some-id`'],
    ],
    ['code that ends a promise', '- It is `so`\n', [expect.stringMatching(/^"It is `so`" has no id/)]],
  ])('is %s', (_, text, problems) => {
    expect(problemsOf([...list, ...readContracts(text)], marks(...good))).toEqual(problems)
  })
})

describe('the reader of marks', () => {
  it.each([
    ['a test', 'a', "it('a', () => {})"],
    ['a test after another comment', 'a', '// Other.', '/* one */', "it('a', () => {})"],
    ['a table of tests', 'is %s', "it.each([['a'], ['b']])('is %s', () => {})"],
    ['a group', 'a', "describe('a', () => {})"],
    ['a test of the nightly run', 'a', "itInLong('a', () => {})"],
    ['a benchmark', 'a', "await compare('a', [])"],
    ['a title with values', 'a … b', 'it(`a ${one.two} b`, () => {})'],
  ])('finds the title of %s', (_, title, ...lines) => {
    expect(marks('', '  @: ends, so-1', ...lines)).toEqual([
      { file: 'test/a.ts', line: 2, ids: ['ends', 'so-1'], title },
    ])
  })

  it.each([
    ['an array', "it.each([\n['a', 1],\n@: ends\n['b', 'c'],\n])('is %s')"],
    ['a text', "const all = ['a',\n@: ends\n'b']"],
    ['an object', "const all = [\n@: ends\n{ name: 'b', text: 'c' }]"],
    ['a property', "const all = {\n@: ends\n'b': () => 'c' }"],
    ['a call', "const all = [\n@: ends\nrow('b', 'c')]"],
  ])('finds the title of a row that is %s', (_, text) => {
    expect(marks(text).map(({ title }) => title)).toEqual(['b'])
  })

  it('takes other comments about promises for no marks', () => {
    expect(marks('/** Promises of libraries. */', '// A promise: none', '@s are kept.', '@ of one')).toEqual([])
  })
})

describe('the page of promises and tests', () => {
  it('folds the titles under each promise, by file', () => {
    const text = '# All\n\nAbout\nids.\n\n## One\n\n- It\n  works. `works`\n- It ends. `ends`\n\n## Two\n'
    const tests = [
      ...marks('@: works, ends', "it('a <b> & %s')", '@: works', "it('c')"),
      ...marksIn('test/b.ts', '// Promise' + ": works\nit('d')"),
    ]
    const link = (file: string) => `<p><a href="https://x.test/test/${file}">test/${file}</a></p>`
    expect(pageOf(text, tests, 'https://x.test').split('\n')).toEqual([
      '# All',
      '',
      "Each promise, with the tests that check it. To run one: `npx jest -t 'its title'`.",
      '',
      '## One',
      '',
      '- It works.',
      `  <details id="works"><summary>3 tests</summary>${link('a.ts')}<ul><li>a &lt;b&gt; &amp; %s</li><li>c</li></ul>${link('b.ts')}<ul><li>d</li></ul></details>`,
      '- It ends.',
      `  <details id="ends"><summary>1 test</summary>${link('a.ts')}<ul><li>a &lt;b&gt; &amp; %s</li></ul></details>`,
      '',
      '## Two',
      '',
    ])
  })
})
