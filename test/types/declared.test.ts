import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from '../docs/programs'

/** The apps of each entry. */
const apps = { rxauth: ['ClientApp'], 'rxauth/server': ['ServerApp', 'RequestApp'], 'rxauth/admin': ['AdminApp'] }

const pathOf = (entry: string) => join(root, 'test/types/declared', `${entry.replace('/', '-')}.ts`)

const opening = (entry: string, names: readonly string[]) => [
  `import type { ${names.join(', ')} } from '${entry}'`,
  `import * as all from '${entry}'`,
  'declare const values: typeof all',
  ...names.map(name => `declare const app${name}: ${name}`),
]

/** A module that exports each member of the apps, and each value of the entry, under a name of its own. */
function declaring(entry: string, names: readonly string[], asked: ts.Program): string {
  const checker = asked.getTypeChecker()
  const file = asked.getSourceFile(pathOf(entry))!
  const membersOf = (name: string) => {
    const symbol = checker.getSymbolsInScope(file, ts.SymbolFlags.Value).find(each => each.name === name)!
    return checker
      .getTypeOfSymbol(symbol)
      .getProperties()
      .filter(each => /^[\w$]+$/.test(each.name))
  }
  const lines = [...names.map(name => `app${name}`), 'values'].flatMap(from =>
    membersOf(from).map(({ name }) => `export const ${from}_${name} = ${from}.${name}`),
  )
  return [...opening(entry, names), ...lines].join('\n')
}

/** The files that the programs of a test file share: the libraries, and the sources of the kit. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** A program of texts, by paths that need not exist, with the compiler options of the tests and `more`. */
function programOf(texts: ReadonlyMap<string, string>, more: ts.CompilerOptions = {}): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), path => ts.sys.readFile(path))
  const { options: common } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, 'test'))
  const options = { ...common, ...more }
  const folders = new Set([...texts.keys()].map(path => dirname(path)))
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile, directoryExists } = host
  host.directoryExists = path => folders.has(path) || (directoryExists?.call(host, path) ?? true)
  host.fileExists = path => texts.has(path) || fileExists.call(host, path)
  host.readFile = path => texts.get(path) ?? readFile.call(host, path)
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
    if (!parsed.has(path)) parsed.set(path, getSourceFile.call(host, path, ...rest))
    return parsed.get(path)
  }
  return ts.createProgram([...texts.keys()], options, host)
}

/** The compiler's messages about a file, each with its line; empty: none. */
function errorsIn(program: ts.Program, path: string): string {
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
      return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    .join('\n')
}

describe('a module that emits declarations', () => {
  const declared = new Map<string, string>()
  let program: ts.Program
  beforeAll(() => {
    const asked = programOf(
      new Map(Object.entries(apps).map(([entry, names]) => [pathOf(entry), opening(entry, names).join('\n')])),
    )
    const texts = new Map(Object.entries(apps).map(([entry, names]) => [pathOf(entry), declaring(entry, names, asked)]))
    program = programOf(texts, { noEmit: false, declaration: true, emitDeclarationOnly: true })
    for (const entry of Object.keys(apps))
      program.emit(program.getSourceFile(pathOf(entry)), (_, text) => declared.set(entry, text), undefined, true)
  }, 300_000)

  // Promise: types-exported
  it.each(Object.keys(apps))('can export every member of the apps of %s, and every value', entry => {
    expect(errorsIn(program, pathOf(entry))).toBe('')
    expect(declared.get(entry)?.match(/^export declare const/gm)?.length).toBeGreaterThan(50)
  })

  // Promise: types-exported
  it.each(Object.keys(apps))('names the types of %s by what an entry exports', entry => {
    const named = [...(declared.get(entry) ?? '').matchAll(/import\("(.*?)"\)\.(\w+)/g)]
    // Where a type is exported, the compiler names the entry's own file.
    const isOfEntry = (file: string) => file === 'rxjs' || /\/src(?:\/(?:index|server|admin))?$/.test(file)
    expect(named.flatMap(([, file = '', name]) => (isOfEntry(file) ? [] : [`${name} of ${file}`]))).toEqual([])
  })
})
