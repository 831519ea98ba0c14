import { join, relative } from 'node:path'
import ts from 'typescript'
import { errorsIn, programOf, root } from './programs'

/** The sources of the entries, by the name that an app imports. */
export const entries: Readonly<Record<string, string>> = {
  rxauth: 'src/index.ts',
  'rxauth/react': 'react/index.ts',
  'rxauth/next': 'react/next/index.ts',
  'rxauth/angular': 'src/angular.ts',
  'rxauth/server': 'src/server.ts',
  'rxauth/admin': 'src/admin.ts',
  'rxauth/platform': 'src/platform.ts',
  'rxauth/platform/node': 'src/platform-node.ts',
  'rxauth/playwright': 'src/testing/playwright.ts',
}

/** The docstring of an exported name. */
export interface Documented {
  readonly entry: string
  readonly name: string
  /** `src/entities/teams/client.ts:12` */
  readonly at: string
  readonly summary: string
  readonly example: string
  readonly isType: boolean
  /** A type, or the schema of one. */
  readonly isShape: boolean
}

const scope = join(root, 'test/docs/reference-scope.ts')

/** Every exported name with its docstring, from the declaration that has it. */
export function documentedNames(): Documented[] {
  const paths = Object.values(entries).map(path => join(root, path))
  const program = programOf(new Map(), paths)
  const checker = program.getTypeChecker()
  return Object.entries(entries).flatMap(([entry, path]) => {
    const source = checker.getSymbolAtLocation(program.getSourceFile(join(root, path))!)!
    return checker.getExportsOfModule(source).map(exported => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      const declaration = symbol.declarations![0]!
      const file = declaration.getSourceFile()
      const line = file.getLineAndCharacterOfPosition(declaration.getStart()).line + 1
      const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
      return {
        entry,
        name: exported.name,
        at: `${relative(root, file.fileName)}:${line}`,
        summary: ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim(),
        example: ts.displayPartsToString(tag?.text).replace(/^```tsx?\n|\n```$/g, ''),
        isShape: (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0,
        isType: (symbol.flags & ts.SymbolFlags.Value) === 0 || exported.declarations!.some(isTypeOnly),
      }
    })
  })
}

/** The compiler's messages about each example, by name; empty: none. Names are imported, the scope is declared. */
export function exampleErrors(documented: readonly Documented[]): Map<Documented, string> {
  // An augmentation applies to every file of its program.
  const [augmenting, others] = [true, false].map(does =>
    documented.filter(({ example }) => example.includes('declare module') === does),
  )
  return new Map([...errorsOf(augmenting!, documented), ...errorsOf(others!, documented)])
}

function errorsOf(compiled: readonly Documented[], documented: readonly Documented[]): Map<Documented, string> {
  const paths = compiled.map((one, index) => [join(root, `test/docs/reference-${index}.tsx`), one] as const)
  const textOf = (one: Documented) => `${importsFor(one, documented)}\n${one.example}\nexport {}\n`
  const program = programOf(new Map(paths.map(([path, one]) => [path, textOf(one)])), [scope])
  return new Map(paths.map(([path, one]) => [one, errorsIn(program, path)]))
}

/** One line that imports the names that the example uses and does not declare. */
function importsFor({ example }: Documented, documented: readonly Documented[]): string {
  const mentioned = new Set(example.match(/[A-Za-z][\w$]*/g))
  const declared = new Set([...example.matchAll(/(?:const|function|interface) ([\w$]+)/g)].map(([, name]) => name))
  const imported = documented.filter(({ name }) => mentioned.has(name) && !declared.has(name))
  // Two entries that export the same name export the same thing.
  const imports = new Map(
    imported.map(({ entry, name, isType }) => [name, `import ${isType ? 'type ' : ''}{ ${name} } from '${entry}'`]),
  )
  return [...imports.values(), example.includes('Suspense') && "import { Suspense } from 'react'"]
    .filter(Boolean)
    .join('; ')
}

/** Whether it is a class of which only the type is exported. */
function isTypeOnly(declaration: ts.Declaration): boolean {
  return ts.isExportSpecifier(declaration) && (declaration.isTypeOnly || declaration.parent.parent.isTypeOnly)
}
