import { transformSync } from 'esbuild'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientOptions } from 'rxauth'
import { freshApp, type FreshApp } from '../package/fresh-app'
import { root } from '../package/sources'
import { output } from './fetched'

/** Of the app on a platform; each place has tokens of its own. */
export type Options = Omit<ClientOptions, 'tokens'>

const source = readFileSync(join(__dirname, 'smoke.ts'), 'utf8')

/** An app with the package, the program, and a `main.js` that runs it. */
async function withApp(options: Options, run: (app: FreshApp) => Promise<unknown>): Promise<void> {
  const app = freshApp()
  try {
    app.write('package.json', '{ "name": "app", "type": "module" }')
    app.write('main.js', main(options))
    await run(app)
  } finally {
    app.remove()
  }
}

export const main = (options: Options) => `
import { createClientApp, memoryTokens } from 'rxauth'
import { smoke } from './smoke.js'
const app = createClientApp({ ...${JSON.stringify(options)}, tokens: memoryTokens() })
smoke(app).then(() => console.log('runs'), error => {
  console.log('Error: ' + (error?.stack ?? error))
  if (globalThis.process?.exit) process.exit(1)
})
`

export const compiledSmoke = () => transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' }).code

/** Runs the program by this command; `options` stand before the file. */
export function runBy(program: string, given: readonly string[], options: Options): Promise<void> {
  return withApp(options, async app => {
    app.write('smoke.js', compiledSmoke())
    wantRuns(await output(program, [...given, 'main.js'], app.folder))
  })
}

/** Compiles the program with this TypeScript, every declaration that it loads too, and runs what was written. */
export function compileWith(folder: string, options: Options): Promise<void> {
  return withApp(options, async app => {
    app.write('smoke.ts', source)
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: [],
    }
    app.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['smoke.ts'] }))
    const compiler = join(folder, 'node_modules/typescript/bin/tsc')
    await output(process.execPath, [compiler, '--project', '.', '--pretty', 'false'], app.folder)
    wantRuns(await output(process.execPath, ['main.js'], app.folder))
  })
}

export function wantRuns(printed: string): void {
  if (printed !== 'runs') throw new Error(printed === '' ? 'it ended and printed nothing' : printed)
}

/** The folder of another version, `test/react-18`. */
export const other = (name: string) => join(root, 'test', name)
