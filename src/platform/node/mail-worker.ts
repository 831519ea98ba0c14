import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isAbsolute, join } from 'node:path'
import { compileFunction, createContext, runInContext, Script, type Context } from 'node:vm'
import { transform } from 'sucrase'
import type { MailProgram } from '../model/emails'
import { mailSandbox, sandboxGlobals, type PackageReader, type SandboxRun } from './mail-sandbox'

// The program of the process in which sources of mails run, with the packages of a project.

const [project = '', limitMillis] = process.argv.slice(2)
const mostCharacters = 5_000_000

const scripts = new Map<string, Script>()

function resolve(name: string, from: string): string {
  try {
    const ofProject = join(project, 'package.json')
    const base = isAbsolute(from) || from === '' ? from || ofProject : createRequire(ofProject).resolve(from)
    const path = createRequire(base).resolve(name)
    return JSON.stringify(isAbsolute(path) ? path : null)
  } catch {
    return 'null'
  }
}

/** The code of a package, compiled once for all contexts. */
function scriptOf(path: string): Script {
  const known = scripts.get(path)
  if (known) return known
  const text = readFileSync(path, 'utf8')
  const code = path.endsWith('.json') ? `module.exports = ${text}` : text
  // An import is answered with an error of the worker itself.
  const made = new Script(
    `(function (exports, require, module, ${sandboxGlobals.join()}) {${code.replace(/\bimport\s*\(/g, 'require(')}\n})`,
  )
  scripts.set(path, made)
  return made
}

function compiledIn(context: Context, source: string) {
  const { code } = transform(source, {
    transforms: ['typescript', 'jsx', 'imports'],
    jsxRuntime: 'automatic',
    production: true,
    preserveDynamicImport: false,
    disableESTransforms: true,
  })
  const parameters = ['exports', 'require', 'module']
  return compileFunction(`'use strict';${code}`, parameters, { parsingContext: context }) as ReturnType<
    PackageReader['compiled']
  >
}

function drawn(program: MailProgram): string | undefined {
  const globals = Object.create(null) as { run?: () => void }
  const context = createContext(globals, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const prepare = runInContext(`'use strict';(${mailSandbox.toString()})`, context) as typeof mailSandbox
  const { begin, drawing }: SandboxRun = prepare(JSON.stringify(program), {
    resolve,
    evaluate: path => scriptOf(path).runInContext(context) as ReturnType<PackageReader['evaluate']>,
    compiled() {
      process.send?.('begins')
      return compiledIn(context, program.source)
    },
  })
  globals.run = begin
  // The tasks of the promises of the mail end with this call.
  runInContext('const run = globalThis.run; delete globalThis.run; run()', context, { timeout: Number(limitMillis) })
  return drawing()
}

// A promise that a mail leaves alone ends no process.
process.on('unhandledRejection', () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (program: MailProgram) => {
  let json: unknown
  try {
    json = drawn(program)
  } catch {
    // The error may be one of the mail, and is not looked at.
    json = JSON.stringify({ error: 'the local platform stops a template that does not end soon', isStopped: true })
  }
  if (typeof json === 'string' && json.length > mostCharacters)
    json = JSON.stringify({ error: 'the local platform stops a template that is too long' })
  const unfinished = JSON.stringify({ error: 'the local platform stops a template that waits for what never comes' })
  process.send?.(typeof json === 'string' ? json : unfinished)
})
