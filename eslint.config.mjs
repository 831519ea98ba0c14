import eslint from '@eslint/js'
import regexp from 'eslint-plugin-regexp'
import rxjsX from 'eslint-plugin-rxjs-x'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { nounFirst } from './test/lint/noun-first.mjs'
import { plainWords } from './test/lint/plain-words.mjs'

const everyScript = '**/*.{ts,tsx,js,mjs}'
const typed = '**/*.{ts,tsx}'
/** The nightly run, `npm run nightly -- lint`. */
const isLong = Boolean(process.env['RXAUTH_LONG'])

/** Time and chance come from the kit's clock, so that one virtual clock drives client and platform together. */
const useTheClock = 'Time and randomness come from the injected clock; only src/core/clock.ts touches the real ones.'
const timers = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'requestAnimationFrame',
  'requestIdleCallback',
]
/** RxJS operators and schedulers that start timers of their own. */
const rxjsTimers = [
  'timer',
  'interval',
  'delay',
  'timeout',
  'timeoutWith',
  'debounceTime',
  'throttleTime',
  'auditTime',
  'sampleTime',
  'bufferTime',
  'windowTime',
  'asyncScheduler',
  'asapScheduler',
  'animationFrameScheduler',
]

const realDates = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: useTheClock },
  { selector: "CallExpression[callee.name='Date']", message: useTheClock },
]

/** Of the syntax that Babel's preset for React Native makes another thing of: it reads the accessor once, and keeps the value. */
const readOnce = [
  {
    selector: 'ObjectExpression:has(> SpreadElement) > Property[kind=/^[gs]et$/]',
    message: 'In React Native an accessor beside a spread is a value: use Object.defineProperty.',
  },
]

const makers = '^(misuse|developerError|invalidInput|invalidResponse)$'
const conditional = "ConditionalExpression[test.name='DEV']"
const conditionalTexts = [
  `NewExpression[callee.name='AuthError'] ${conditional}`,
  `CallExpression[callee.name=/${makers}/] ${conditional}`,
  `CallExpression[callee.name!=/${makers}/] > ${conditional}[alternate.value='']`,
].map(selector => ({
  selector,
  message: 'The build makes the texts for developers of misuse, developerError and invalidResponse conditional.',
}))

/** Rules that read types by the compiler, which takes two minutes, and that oxlint does not have. */
const ofTypes = [
  {
    files: [`{src,react,test}/**/*.{ts,tsx}`],
    extends: [rxjsX.configs.recommended],
    languageOptions: {
      parserOptions: { project: ['tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'error',
      // `store` is the house word for a Store in hand, as `promise` is for a promise; functions are named by what they do.
      'rxjs-x/finnish': [
        'error',
        { functions: false, methods: false, strict: false, types: { '^(Auth)?Store$': false, Subject$: true } },
      ],
      'rxjs-x/no-exposed-subjects': 'error',
      'rxjs-x/no-sharereplay-before-takeuntil': 'error',
      // An abort reason or a cause is thrown as it came.
      'rxjs-x/throw-error': 'off',
      'rxjs-x/no-implicit-any-catch': 'off',
    },
  },
  // Its streams have the names of their events.
  { files: ['src/replay/surroundings.ts'], rules: { 'rxjs-x/finnish': 'off' } },
  // Subscribing inside a subscriber is what some tests are about.
  { files: ['test/**/*.{ts,tsx}'], rules: { 'rxjs-x/no-nested-subscribe': 'off' } },
]

export default defineConfig(
  globalIgnores([
    ...['dist/', 'coverage/', 'artifacts/', '.tmp/', 'docs/api/'],
    ...['dist/', 'cache/', '.temp/'].map(name => `docs/.vitepress/${name}`),
    // The names that they use are declared by the blocks of their page, with which the compiler reads them.
    'docs/**/*.checks.ts',
    // What frameworks write.
    ...['.next/', '.react-router/', '.svelte-kit/', 'build/'].map(name => `test/frameworks/*/${name}`),
  ]),

  {
    files: [everyScript],
    extends: [eslint.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },

  {
    files: [everyScript],
    plugins: { voice: { rules: { 'plain-words': plainWords, 'noun-first': nounFirst } } },
    rules: { 'voice/plain-words': 'error' },
  },
  {
    files: ['{src,react}/**/*.{ts,tsx,js,mjs}'],
    rules: { 'voice/noun-first': 'error' },
  },

  // Scripts are checked by running them: no types, and Node's and the browser's globals are both in use there.
  { files: ['**/*.{js,mjs}'], rules: { 'no-undef': 'off' } },

  // .oxlintrc.json has the rules of typescript-eslint that use types or take long, and those of React.
  {
    files: [typed],
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': 'off',
      // `{}` says "no arguments" in a definition; an entity's interface extends its schema's type to keep hover readable.
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      'no-undef': 'off',
    },
  },

  {
    files: ['{src,react,test}/**/*.{ts,tsx}'],
    ignores: [
      'src/core/clock.ts',
      'src/platform/test-tools/virtual-clock.ts',
      'src/platform/node/**',
      'src/cli/**',
      'src/platform-{node,inside,bin}.ts',
      'react/{console,example}/**',
      'src/testing/**',
      'test/{browser,bench,everywhere,first-hour,frameworks,setup,package}/**',
      'test/core/clock.test.ts',
      'test/platform/node*',
      'test/platform/test-tools/virtual-clock*',
      'test/platform/node/**',
      'test/cli/**',
    ],
    rules: {
      'no-restricted-globals': ['error', ...timers.map(name => ({ name, message: useTheClock }))],
      'no-restricted-properties': [
        'error',
        ...['globalThis', 'window', 'self'].flatMap(object =>
          timers.map(property => ({ object, property, message: useTheClock })),
        ),
        { object: 'Date', property: 'now', message: useTheClock },
        { object: 'Math', property: 'random', message: useTheClock },
        { object: 'performance', property: 'now', message: useTheClock },
        { object: 'AbortSignal', property: 'timeout', message: useTheClock },
      ],
      'no-restricted-syntax': ['error', ...realDates, ...readOnce],
      'no-restricted-imports': [
        'error',
        { paths: ['rxjs', 'rxjs/operators'].map(name => ({ name, importNames: rxjsTimers, message: useTheClock })) },
      ],
    },
  },

  // A rule's options replace those of the block above.
  {
    files: ['{src,react}/**/*.{ts,tsx}'],
    ignores: [
      'src/core/clock.ts',
      'src/{cli,platform,testing}/**',
      'src/platform-{node,inside,bin}.ts',
      'react/{console,example}/**',
    ],
    rules: { 'no-restricted-syntax': ['error', ...realDates, ...conditionalTexts, ...readOnce] },
  },

  {
    files: ['{src,react}/**/*.{ts,tsx}'],
    ignores: ['src/platform/node/**', 'src/cli/**', 'src/platform-bin.ts', 'react/{console,example}/**'],
    rules: { 'no-console': 'error' },
  },
  // The examples of docstrings make no file hard to read.
  { files: ['{src,react}/**/*.{ts,tsx}'], rules: { 'max-lines': ['error', { max: 250, skipComments: true }] } },
  // Tables of texts, one per language.
  { files: ['react/example/words/{en,de}.ts'], rules: { 'max-lines': 'off' } },

  // Texts come from other people's servers and pages: an expression takes time as the text is long, not as its square.
  {
    files: ['{src,react}/**/*.{ts,tsx,mjs}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },

  {
    // It compiles the pages, and fails where it is wrong about them.
    files: ['docs/.vitepress/run/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },

  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      // A wrong guess fails the test, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },

  ...(isLong ? ofTypes : []),
)
