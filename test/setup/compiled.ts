import { readFileSync } from 'node:fs'
import { Script, type Context } from 'node:vm'

/** The bundle that this process has compiled. */
let compiled: { readonly path: string; readonly script: Script } | undefined

/**
 * The bundle of the sources (bundle.mjs) as a script, which a worker compiles once.
 *
 * A script belongs to no context: in the next one, its functions are compiled as far as earlier contexts have needed them.
 */
export function scriptOf(path: string): Script {
  if (compiled?.path !== path) compiled = { path, script: new Script(readFileSync(path, 'utf8'), { filename: path }) }
  return compiled.script
}

/** Gives the context of a test what `sources.cjs`, which the imports of all sources lead to, takes from it. */
export function giveSources(global: object, context: Context): void {
  const load = (...given: unknown[]) =>
    (scriptOf(process.env['RXAUTH_TEST_BUNDLE']!).runInContext(context) as (...given: unknown[]) => void)(...given)
  Object.defineProperty(global, Symbol.for('rxauth.sources'), { value: load })
}
