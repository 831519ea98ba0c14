import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
]

const typed: typeof cases = [
  ['a clean source', source, 'export const one = 1\n', []],
  ['a floating promise', source, 'export const run = () => { Promise.resolve() }\n', ['no-floating-promises']],
  ['a floating promise in a test', test, 'export const x = () => { Promise.resolve() }\n', ['no-floating-promises']],
  ['a promise given up on purpose', source, 'export const run = () => { void Promise.resolve() }\n', []],
  ['a name that nothing uses', source, 'const one = 1\nexport {}\n', ['no-unused-vars']],
  ['a promise as a condition', source, "if (Promise.resolve(1)) throw new Error('x')\n", ['no-misused-promises']],
  ['a call of any', test, 'declare const x: any\nx()\n', ['no-unsafe-call']],
  ['a member of any', source, 'declare const x: any\nexport const a: unknown = x.a\n', ['no-unsafe-member-access']],
  ['a member of any in a test', test, 'declare const x: any\nexport const a: unknown = x.a\n', []],
  [
    'an assertion of nothing',
    source,
    'export const one = (a: number) => a as number\n',
    ['no-unnecessary-type-assertion'],
  ],
  [
    'a case left out',
    source,
    "export function one(a: 'x' | 'y') {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n  return 2\n}\n",
    ['switch-exhaustiveness-check'],
  ],
  ['a method without its object', source, 'export const { then } = Promise.resolve()\n', ['unbound-method']],
  ['a method without its object in a test', test, 'export const { then } = Promise.resolve()\n', []],
  [
    'an object in a text',
    source,
    'export const one = (a: object) => `${a}`\n',
    ['no-base-to-string', 'restrict-template-expressions'],
  ],
  [
    'a hook after a condition',
    react,
    'export declare function useState(one: number): void\nexport const useX = (x: boolean) => { if (x) useState(1) }\n',
    ['rules-of-hooks'],
  ],
]

/** What oxlint finds in each text: it has files of their own, since it reads types from files only. */
function typedRules(): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-lint-'))
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }))
  const paths = typed.map(([, path], at) => path.replace(/[^/]+$/, `${at}.ts`))
  for (const [at, path] of paths.entries()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), typed[at]![2])
  }
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [program, '--format', 'unix'], { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return paths.map(path =>
    [...stdout.matchAll(new RegExp(`^${path}:.*\\(([\\w-]+)\\)\\]$`, 'gm'))].map(([, rule]) => rule!).sort(),
  )
}

describe('lint', () => {
  let found: string[][]
  let foundByTypes: string[][]

  beforeAll(() => {
    foundByTypes = typedRules()
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

  it.each(typed.map(([what, path, , rules], at) => ({ what, path, rules, at })))(
    'by types, of $what in $path finds $rules',
    ({ rules, at }) => {
      expect(foundByTypes[at]).toEqual(rules)
    },
  )
})
