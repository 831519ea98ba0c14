import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import words from '../lint/refused-words.json'
import { root } from './sources'

// Rules that use types need a path that test/lint/tsconfig.json includes; the content of the file there does not matter.
const source = 'src/core/result.ts'
const react = 'react/use-latest.ts'
const [word = '', pair = ''] = [words[1], words[3]]
const plain = 'src/errors/codes.ts'
const test = 'test/package/sources.ts'

/** Of src/core/dev.ts and src/errors/auth-error.ts. */
const declared = `import { DEV } from './dev'
import { AuthError, invalidInput, invalidResponse, misuse } from '../errors/auth-error'
declare const refused: (text: string) => Error
export const all = [AuthError, invalidInput, invalidResponse, misuse, refused, DEV]
`

const cases: [what: string, path: string, text: string, rules: string[]][] = [
  ['a clean source', source, 'export const one = 1\n', []],

  ['a floating promise', source, 'export const run = () => { Promise.resolve() }\n', ['no-floating-promises']],
  ['a floating promise in a test', test, "it('x', () => { Promise.resolve() })\n", ['no-floating-promises']],
  ['a promise given up on purpose', source, 'export const run = () => { void Promise.resolve() }\n', []],

  ['a timer', source, 'setTimeout(() => {}, 1)\n', ['no-restricted-globals']],
  ['a repeating timer', source, 'export const id = setInterval(() => {}, 1)\n', ['no-restricted-globals']],
  ['a timer ended', source, 'clearTimeout(1)\n', ['no-restricted-globals']],
  ['a timer of globalThis', source, 'globalThis.setTimeout(() => {}, 1)\n', ['no-restricted-properties']],
  ['a timer of window', source, 'window.setInterval(() => {}, 1)\n', ['no-restricted-properties']],
  ['a timer taken apart', source, 'export const { setTimeout: later } = globalThis\n', ['no-restricted-properties']],
  ['a timer of RxJS', source, "export { delay } from 'rxjs'\n", ['no-restricted-imports']],
  ['a timer in the React entry', react, 'setTimeout(() => {}, 1)\n', ['no-restricted-globals']],
  ['the time', source, 'export const now = Date.now()\n', ['no-restricted-properties']],
  ['the time as a date', source, 'export const now = new Date()\n', ['no-restricted-syntax']],
  ['a date of a given time', source, 'export const then = new Date(0)\n', []],
  ['chance', source, 'export const dice = Math.random()\n', ['no-restricted-properties']],
  [
    'timers, time and chance in the clock',
    'src/core/clock.ts',
    'setTimeout(() => {}, Date.now() + Math.random() + new Date().getTime())\n',
    [],
  ],

  ...[
    "throw new AuthError('DISPOSED', DEV ? 'has ended' : '')",
    "throw invalidInput('url', DEV ? 'is missing' : '')",
    "throw invalidInput('url', DEV ? 'is missing: the address' : 'is missing')",
    "throw invalidResponse(DEV ? 'the answer has no status' : 'status')",
    "throw refused(DEV ? 'set baseUrl' : '')",
  ].map((text): (typeof cases)[number] => [
    `a condition of development: ${text}`,
    source,
    `${declared}${text}\n`,
    ['no-restricted-syntax'],
  ]),
  ['a text for developers', source, `${declared}throw misuse('url', 'is missing')\n`, []],
  [
    'a function for development',
    source,
    `${declared}export const said: () => string = DEV ? () => 'x' : () => ''\n`,
    [],
  ],

  ['the console', source, "console.log('x')\n", ['no-console']],
  [
    'an import of a type without `type`',
    source,
    "import { Observable } from 'rxjs'\nexport type X = Observable<1>\n",
    ['consistent-type-imports'],
  ],
  ['251 lines', source, 'export {}\n'.repeat(251), ['max-lines']],
  ['an observable without a $', source, "import { of } from 'rxjs'\nexport const teams = of(1)\n", ['finnish']],
  [
    'an exposed subject',
    source,
    "import { Subject } from 'rxjs'\nexport class A { readonly a$ = new Subject() }\n",
    ['no-exposed-subjects'],
  ],
  [
    'a subscription within a subscription',
    source,
    "import { of } from 'rxjs'\nof(1).subscribe(() => { of(2).subscribe() })\n",
    ['no-nested-subscribe'],
  ],
  [
    'a person in a comment',
    plain,
    `/** ${pair.replace(' ', '\n * ')} wait. */\nexport const one = 1\n`,
    ['plain-words'],
  ],
  ['a person in a message', plain, `export const one = '${word} is here'\n`, ['plain-words']],
  ['a person in a template', plain, `export const of = (a: string) => \`\${a} of ${word}\`\n`, ['plain-words']],
  ['a person in a test title', 'test/errors/codes.test.ts', `it('asks ${word} there', () => {})\n`, ['plain-words']],
  ['an identifier named after a person', plain, `export const ${word} = 1\n`, []],
  ...[
    '/** What a kit uses. */',
    '/** The same, as a date. */',
    '/** The same of calls. */',
    '/**\n * That of a file,\n * or of a folder.\n */',
    '// It is empty.',
    '// Both are empty.',
    '/** Of a page. */',
  ].map((comment): (typeof cases)[number] => [
    `a comment without its noun: ${comment}`,
    plain,
    `${comment}\nexport const one = 1\n`,
    ['noun-first'],
  ]),
  ...[
    '/** The value that a kit uses. */',
    '/** The same clock as a date. */',
    '/** Both kits of a page. */',
    '/** Words of one text:\n * what follows is the same. */',
    '// A text over two lines has one beginning:\n// it is the first line.',
  ].map((comment): (typeof cases)[number] => [
    `a comment with its noun: ${comment}`,
    plain,
    `${comment}\nexport const one = 1\n`,
    [],
  ]),
  ['a comment of a test', 'test/errors/codes.test.ts', '// What a test expects.\n', []],
  [
    'a hook after a condition',
    react,
    "import { useState } from 'react'\nexport const useX = (x: boolean) => { if (x) useState(1) }\n",
    ['rules-of-hooks'],
  ],
]

describe('lint', () => {
  let found: string[][]

  beforeAll(() => {
    const input = JSON.stringify(cases.map(([, path, text]) => ({ path: join(root, path), text })))
    const output = execFileSync(process.execPath, [join(__dirname, 'lint-sources.mjs')], { cwd: root, input })
    found = JSON.parse(output.toString())
  })

  it.each(cases.map(([what, path, , rules], at) => ({ what, path, rules, at })))(
    'of $what in $path finds $rules',
    ({ rules, at }) => {
      expect(found[at]!.map(rule => rule.replace(/^.*\//, ''))).toEqual(rules)
    },
  )
})
