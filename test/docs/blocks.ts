import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'node:util'
import ts from 'typescript'
import { expectedOutput, printing } from '../../docs/.vitepress/run/printing'
import { errorsIn, programOf, root } from './programs'
import type { World } from './world'

export { expectedOutput, root }

/*
 * Code blocks of the guides: ```ts and ```tsx. A reader copies a block: it names what it imports and makes what it uses, or its
 * first line says what it goes on from.
 *   // sign-in.ts            the name of the file that the block begins
 *   // continues sign-in.ts  goes on in that file, with everything declared there
 * Words after the language, which readers do not see:
 *   no-run      type-checked only, because it needs a page, a server or an account
 *   file:a/b.ts is that file of an app, which the text names; other blocks of the page import it by its path. `rxauth init`
 *               writes these files of a guide, of any language, except those with:
 *   extra       a file that the app does without
 *   own         the framework's tool writes it too, and `rxauth init` only where it is missing
 *   else:c.html is the path where the app has another file of the first one
 *   when:name    a file that only apps with this setting of the framework need
 *   instead:c.ts stands in for a file of the page where the app has another one of that path
 *   runs        a file that runs by itself, as a block without a name does
 *   together    is a program of its own, which runs together with the block before it: a page and its backend
 *   renders     exports a component `Page`, which test/docs/rendered.test.tsx shows and uses
 * A comment on lines of its own holds what only the tests run. A block compiles without it.
 *   <!-- set-up  before the next block: the platform that answers, with `serve` of test/docs/world.ts, a mail that arrives
 *   <!-- check   after the block before it: what proves the recipe and is no part of it
 * `// → text` is expected output: of the console.log on its line, of the expression on its line, or of what came before.
 */

/** One program: a block and those that continue it. */
export interface Example {
  /** `docs/writes.md:12`, the line of its first block. */
  readonly name: string
  readonly code: string
  /** The parts of it that readers see, each a program of its own. */
  readonly shown: readonly string[]
  readonly extension: 'ts' | 'tsx'
  readonly runs: boolean
  /** The heading above it, if it exports a page. */
  readonly renders?: string
  /** Its path in the app of the page: `src/auth.ts`. */
  readonly file?: string
}

export function guides(): string[] {
  const folders = ['docs', 'docs/guides', 'docs/coming-from'].filter(folder => existsSync(join(root, folder)))
  const files = folders.flatMap(folder => readdirSync(join(root, folder)).map(file => `${folder}/${file}`))
  return ['README.md', 'AGENTS.md', ...files].filter(file => file.endsWith('.md'))
}

const blockForm =
  /^<!-- (?<use>set-up|check)\n(?<hidden>[^]*?)^-->$|^```(?<language>tsx?)\b(?<words>.*)\n(?<code>[^]*?)^```$/gm

export function readExamples(file: string, text = readFileSync(join(root, file), 'utf8')): Example[] {
  const examples: Example[] = []
  let setUp = ''
  let last: Example | undefined
  for (const { index, groups } of text.matchAll(blockForm)) {
    const {
      use,
      hidden,
      language,
      words,
      code: shown,
    } = groups as Record<'use' | 'hidden' | 'language' | 'words' | 'code', string>
    const previous = examples.at(-1)
    if (use === 'set-up') setUp += hidden
    if (use === 'check') {
      if (!previous) throw new Error(`${file}: there is no block before the first check`)
      // After a block that goes on in another file than the last one, it belongs to that file.
      const checked = examples.indexOf(last ?? previous)
      last = { ...examples[checked]!, code: examples[checked]!.code + hidden }
      examples.splice(checked, 1, last)
    }
    if (use) continue
    const code = setUp + shown
    setUp = ''
    const known = ['', 'no-run', 'runs', 'renders', 'together', 'own', 'extra']
    const place = / file:(\S+)/.exec(words)?.[1] ?? /^\/\/ ([\w./-]+\.tsx?)\n/.exec(shown)?.[1]
    const unknown = words.split(' ').filter(word => !known.includes(word) && !/^(file|instead|when):/.test(word))
    const line = text.slice(0, index).split('\n').length
    if (unknown.length > 0)
      throw new Error(`${file}:${line}: a code block is "${known.join('", "')}", not "${unknown.join(' ')}"`)
    const runs = / runs\b/.test(words) || !/no-run|renders|file:/.test(words)
    const [, begun] = /^\/\/ continues (\S+)\n/.exec(shown) ?? []
    if (words.includes('together') && previous) {
      last = { ...previous, code: previous.code + code, shown: [...previous.shown, shown] }
      examples.splice(-1, 1, last)
    } else if (begun === undefined) {
      const heading = /.*^#+ +(.*?)$/ms.exec(text.slice(0, index))?.[1] ?? ''
      last = {
        name: `${file}:${line}`,
        code,
        shown: [shown],
        extension: language as 'ts',
        runs,
        ...(words.includes('renders') && { renders: heading }),
        ...(place && { file: place }),
      }
      examples.push(last)
    } else {
      const at = examples.findIndex(example => example.file === begun)
      const first = examples[at]
      if (!first) throw new Error(`${file}:${line}: there is no block "${begun}" to continue`)
      last = {
        ...first,
        code: first.code + code,
        shown: [...first.shown.slice(0, -1), first.shown.at(-1)! + shown],
        runs: first.runs && runs,
      }
      examples.splice(at, 1, last)
    }
  }
  if (/^.*\S.*<!-- (?:set-up|check)$/m.test(text)) throw new Error(`${file}: text stands before a comment of the tests`)
  if (setUp) throw new Error(`${file}: there is no block after the last set-up`)
  return examples
}

/** The compiler's messages about what readers see of each example, else about all of it; empty: none. */
export function typeErrors(examples: readonly Example[]): Map<Example, string> {
  const texts = new Map<string, string>()
  const paths = examples.map((example, index) => {
    const folder = join(root, 'test/docs', example.file ? appOf(example) : '.')
    const name = example.file ?? `example-${index}.${example.extension}`
    const write = (path: string, text: string) => {
      // `export {}` makes a module of a block without imports.
      texts.set(path, `${text}\nexport {}\n`)
      return path
    }
    const shown = example.shown.map((text, part) => write(join(folder, part ? `${part}-${name}` : name), text))
    const whole = example.shown.join('') === example.code && shown.length === 1
    return [example, whole ? shown : [...shown, write(join(folder, `tested-${index}`, name), example.code)]] as const
  })
  const program = programOf(texts, [join(__dirname, 'world.ts')])
  return new Map(
    paths.map(([example, files]) => [example, files.map(path => errorsIn(program, path)).find(Boolean) ?? '']),
  )
}

/** The folder of a page's app. */
function appOf({ name }: Example): string {
  return name.replace(/\W+\d+$/, '').replace(/\W/g, '-')
}

/** The example of the same page that this one imports by `./path`. */
export function imported(examples: readonly Example[], from: Example, path: string): Example | undefined {
  const aim = join(dirname(from.file ?? ''), path)
  return examples.find(each => appOf(each) === appOf(from) && each.file?.replace(/\.tsx?$/, '') === aim)
}

export type Runnable = Pick<Example, 'code' | 'extension'>

/** Runs it with the packages that `load` returns; returns its output, line by line. `exports` gets its exports. */
export async function run(
  example: Runnable,
  load: (name: string) => unknown,
  exports: object = {},
  world?: Pick<World, 'serve'>,
): Promise<string[]> {
  const printed: string[] = []
  const print = (...values: unknown[]) => printed.push(...format(...values).split('\n'))
  const { outputText } = ts.transpileModule(printing(example), {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.ReactJSX,
      esModuleInterop: true,
    },
    fileName: `example.${example.extension}`,
  })
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- our own guides are what is being run
  const body = new Function('require', 'exports', 'console', 'serve', `return (async () => {${outputText}\n})()`) as (
    ...globals: unknown[]
  ) => Promise<void>
  await body(load, exports, { ...console, log: print }, world?.serve)
  return printed
}
