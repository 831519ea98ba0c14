import { dirname, join } from 'node:path'
import ts from 'typescript'

export const root = join(__dirname, '../..')

/** The files that the programs of a test file share: the libraries, and the sources of the kit. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** A program of texts, by paths that need not exist, and of files, with the compiler options of the tests and `more`. */
export function programOf(
  texts: ReadonlyMap<string, string>,
  files: readonly string[] = [],
  more: ts.CompilerOptions = {},
): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'test/tsconfig.json'), path => ts.sys.readFile(path))
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
  return ts.createProgram([...files, ...texts.keys()], options, host)
}

/** The compiler's messages about a file, each with its line; empty: none. */
export function errorsIn(program: ts.Program, path: string): string {
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ file, start = 0, messageText }) => {
      const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
      return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    .join('\n')
}
