import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'node:util'
import ts from 'typescript'
import { errorsIn, programOf, root } from './programs'

export { root }

/*
 * Code blocks of the guides: ```ts and ```tsx. Words after the language:
 *   continues   goes on from the block before it, with everything declared there
 *   no-run      type-checked only, because it needs a page, a server or an account
 *   file:a/b.ts is that file; other blocks of the page import it by its path
 *   renders     exports a component `Page`, which test/docs/rendered.test.tsx shows and uses
 * Readers do not see what a comment on lines of its own holds, and the tests run it:
 *   <!-- set-up  before the next block: a platform with its users, the code from a mail; goes where that block goes
 *   <!-- check   after the block before it: what proves the recipe and is no part of it
 * `// → text` is expected output: of the console.log on its line, of the expression on its line, or of what came before.
 */

/** One program: a block and those that continue it. */
export interface Example {
  /** `docs/writes.md:12`, the line of its first block. */
  readonly name: string
  readonly code: string
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
  return ['README.md', ...files].filter(file => file.endsWith('.md'))
}

const blockForm =
  /^<!-- (?<use>set-up|check)\n(?<hidden>[^]*?)^-->$|^```(?<language>tsx?)\b(?<words>.*)\n(?<code>[^]*?)^```$/gm

export function readExamples(file: string, text = readFileSync(join(root, file), 'utf8')): Example[] {
  const examples: Example[] = []
  let setUp = ''
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
      examples.splice(-1, 1, { ...previous, code: previous.code + hidden })
    }
    if (use) continue
    const code = setUp + shown
    setUp = ''
    const known = ['', 'continues', 'no-run', 'renders']
    const place = / file:(\S+)/.exec(words)?.[1]
    const unknown = words.split(' ').filter(word => !known.includes(word) && word !== `file:${place}`)
    const line = text.slice(0, index).split('\n').length
    if (unknown.length > 0)
      throw new Error(`${file}:${line}: a code block is "${known.join('", "')}", not "${unknown.join(' ')}"`)
    const runs = !/no-run|renders|file:/.test(words)
    const heading = /.*^#+ +(.*?)$/ms.exec(text.slice(0, index))?.[1] ?? ''
    const renders = words.includes('renders') && { renders: heading }
    if (!words.includes('continues'))
      examples.push({
        name: `${file}:${line}`,
        code,
        extension: language as 'ts',
        runs,
        ...renders,
        ...(place && { file: place }),
      })
    else if (previous) examples.splice(-1, 1, { ...previous, code: previous.code + code, runs: previous.runs && runs })
    else throw new Error(`${file}:${line}: there is no block to continue`)
  }
  if (setUp) throw new Error(`${file}: there is no block after the last set-up`)
  return examples
}

/** The compiler's messages about each example; empty: none. */
export function typeErrors(examples: readonly Example[]): Map<Example, string> {
  const paths = examples.map((example, index) => {
    const place = example.file ? join(appOf(example), example.file) : `example-${index}.${example.extension}`
    return [join(root, 'test/docs', place), example] as const
  })
  // `export {}` makes a module of a block without imports.
  const program = programOf(new Map(paths.map(([path, { code }]) => [path, `${code}\nexport {}\n`])))
  return new Map(paths.map(([path, example]) => [example, errorsIn(program, path)]))
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

/** The output that the comments promise. */
export function expectedOutput(code: string): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text!.trim())
}

/** Runs it with the packages that `load` returns; returns its output, line by line. `exports` gets its exports. */
export async function run(example: Example, load: (name: string) => unknown, exports: object = {}): Promise<string[]> {
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
  const body = new Function('require', 'exports', 'console', `return (async () => {${outputText}\n})()`) as (
    ...globals: unknown[]
  ) => Promise<void>
  await body(load, exports, { ...console, log: print })
  return printed
}

/** `expression // → value` as `console.log(expression) // → value`, unless it prints something itself. */
function printing({ code, extension }: Example): string {
  const source = ts.createSourceFile(`example.${extension}`, code, ts.ScriptTarget.ES2022, true)
  const edits: { readonly at: number; readonly text: string }[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isExpressionStatement(node)) return
    const isPromised = (ts.getTrailingCommentRanges(code, node.end) ?? []).some(({ pos }) =>
      code.startsWith('// → ', pos),
    )
    const { expression } = node
    if (!isPromised || expression.getText(source).includes('console.log(')) return
    edits.push({ at: expression.getStart(source), text: 'console.log(' }, { at: expression.end, text: ')' })
  }
  visit(source)
  return edits
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code)
}
