import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format } from 'node:util'
import ts from 'typescript'
import { checksBeside, readExamples as read, type Example } from '../../docs/.vitepress/run/examples'
import { expectedOutput, printing } from '../../docs/.vitepress/run/printing'
import { compilePrograms, root } from './programs'
import type { World } from './world'

export { expectedOutput, root }
export type { Example }

export function guides(): string[] {
  const folders = ['docs', 'docs/guides', 'docs/coming-from'].filter(folder => existsSync(join(root, folder)))
  const files = folders.flatMap(folder => readdirSync(join(root, folder)).map(file => `${folder}/${file}`))
  return ['README.md', 'AGENTS.md', ...files].filter(file => file.endsWith('.md'))
}

/** The programs of a page, as docs/.vitepress/run/examples.ts reads them. */
export function readExamples(
  file: string,
  text = readFileSync(join(root, file), 'utf8'),
  checks = checksBeside(join(root, file)),
): Example[] {
  return read(file, text, checks)
}

/** The compiler's messages about what readers see of each example, else about all of it; empty: none. */
export function typeErrors(examples: readonly Example[]): Map<Example, string> {
  const texts: Record<string, string> = {}
  const paths = examples.map((example, index) => {
    const folder = example.file ? appOf(example) : '.'
    const name = example.file ?? `example-${index}.${example.extension}`
    const write = (path: string, text: string) => {
      // `export {}` makes a module of a block without imports.
      texts[path] = `${text}\nexport {}\n`
      return path
    }
    const shown = example.shown.map((text, part) => write(join(folder, part ? `${part}-${name}` : name), text))
    const whole = example.shown.join('') === example.code && shown.length === 1
    return [example, whole ? shown : [...shown, write(join(folder, `tested-${index}`, name), example.code)]] as const
  })
  const [{ errors }] = compilePrograms({ texts, files: ['test/docs/world.ts'] })
  return new Map(paths.map(([example, files]) => [example, files.map(path => errors[path]!).find(Boolean) ?? '']))
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
  // oxlint-disable-next-line typescript/no-implied-eval -- our own guides are what is being run
  const body = new Function('require', 'exports', 'console', 'serve', `return (async () => {${outputText}\n})()`) as (
    ...globals: unknown[]
  ) => Promise<void>
  await body(load, exports, { ...console, log: print }, world?.serve)
  return printed
}
