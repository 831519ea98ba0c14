// Compiles programs and prints what the tests want to know of them: JSON on standard input and output. `programs.ts` runs it.
//
// TypeScript 7 takes a fifth of the time of 6, most of which went into the types of React, Angular and the DOM, in each test file
// anew. Jest cannot load the API of this compiler, and a child gives its memory back.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { API, SymbolFlags } from '../typescript-7/node_modules/typescript/dist/api/sync/api.js'

const root = join(import.meta.dirname, '../..')
mkdirSync(join(root, '.tmp'), { recursive: true })
const folder = mkdtempSync(join(root, '.tmp/compiled-'))
const api = new API({ cwd: root })
try {
  console.log(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(compiled)))
} finally {
  // It ends by itself, and this process after it: the CPU time of a child that is killed would be counted nowhere.
  const { child } = api.client.channel
  child.ref()
  child.stdin.end()
  rmSync(folder, { recursive: true })
}

/**
 * `texts` are files by paths that do not exist, `files` are others of the program. The answer has the errors of each text, the
 * exported names of each of `entries`, and the members of the exported types `unions` of the last text.
 */
function compiled({ texts = {}, files = [], entries = [], unions = [] }, index) {
  const place = path => join(folder, String(index), path)
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(place(path)), { recursive: true })
    writeFileSync(place(path), text)
  }
  mkdirSync(place('.'), { recursive: true })
  const config = place('tsconfig.json')
  const roots = [...Object.keys(texts).map(place), ...[...files, ...entries].map(path => join(root, path))]
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [], files: roots }))
  const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  const exportsOf = path => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(path)))
  const everywhere = [...program.getConfigFileParsingDiagnostics(), ...program.getProgramDiagnostics()]
  return {
    errors: Object.fromEntries(
      Object.entries(texts).map(([path, text]) => {
        const own = [...program.getSyntacticDiagnostics(place(path)), ...program.getSemanticDiagnostics(place(path))]
        return [path, [...everywhere, ...own].map(error => `line ${lineOf(error, text)}: ${flat(error)}`).join('\n')]
      }),
    ),
    exported: entries.map(path => exportsOf(join(root, path)).map(symbol => described(symbol, checker))),
    unions: Object.fromEntries(
      unions.map(name => {
        const alias = exportsOf(place(Object.keys(texts).at(-1))).find(symbol => symbol.name === name)
        const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(alias))
        return [name, members.map(member => [member.name, literals(checker.getTypeOfSymbol(member))])]
      }),
    ),
  }
}

function lineOf({ fileName, pos }, text) {
  return fileName === undefined ? 0 : lineAt(text, pos)
}

function lineAt(text, position) {
  return text.slice(0, position).split('\n').length
}

/** With the reasons below it, each level two spaces further in. */
function flat({ text, messageChain = [] }, indent = '') {
  return [indent + text, ...messageChain.map(reason => flat(reason, `${indent}  `))].join('\n')
}

/** The docstring, from the declaration that has it. */
function described(exported, checker) {
  const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const declaration = symbol.declarations[0].resolve()
  const file = declaration.getSourceFile()
  const tag = checker.getJsDocTagsOfSymbol(symbol).find(({ name }) => name === 'example')
  return {
    name: exported.name,
    at: `${relative(root, file.fileName)}:${lineAt(file.text, declaration.getStart(file))}`,
    summary: checker.getDocumentationCommentOfSymbol(symbol).trim(),
    example: (tag?.text ?? '').replace(/^```tsx?\n|\n```$/g, ''),
    isShape: (symbol.flags & (SymbolFlags.Interface | SymbolFlags.TypeAlias)) !== 0,
    isType: (symbol.flags & SymbolFlags.Value) === 0 || exported.declarations.some(each => isTypeOnly(each.resolve())),
  }
}

/** Whether it is a class of which only the type is exported. */
function isTypeOnly(declaration) {
  return declaration.isTypeOnly === true || declaration.parent?.parent?.isTypeOnly === true
}

function literals(type) {
  const types = type.isUnionType() ? type.getTypes() : [type]
  return types.flatMap(each => (each.isStringLiteralType() ? [each.value] : [])).sort()
}
