// Compiles the tests and runs ESLint over one program of all files. Each alone makes a program of its own, which is most of the
// compiler's time, and ESLint asks again for the types that the compiler has worked out.
import { ESLint } from 'eslint'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
// Arguments: another project, and the paths to lint.
const [project = 'test/tsconfig.json', ...paths] = process.argv.slice(2)

const texts = {
  getCanonicalFileName: path => path,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
}

function refuse(diagnostic) {
  throw new Error(ts.formatDiagnostic(diagnostic, texts))
}

const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
  join(root, project),
  {},
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse },
)
const program = ts.createProgram({
  rootNames: fileNames,
  options,
  configFileParsingDiagnostics: errors,
  // ESLint walks up from a node.
  host: ts.createCompilerHost(options, true),
})
const diagnostics = ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program))
if (diagnostics.length > 0) console.log(ts.formatDiagnostics(diagnostics, texts))

const eslint = new ESLint({
  cwd: root,
  overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions: { programs: [program] } } },
})
const results = await eslint.lintFiles(paths.length > 0 ? paths : ['.'])
const { format } = await eslint.loadFormatter('stylish')
console.log(await format(results))
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
process.exitCode = diagnostics.length === 0 && isClean ? 0 : 1
