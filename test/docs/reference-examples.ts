import { compilePrograms, type Exported } from './programs'

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

/** An exported name of the package. */
export interface Documented extends Exported {
  readonly entry: string
}

/** Every exported name with its docstring, from the declaration that has it. */
export function documentedNames(): Documented[] {
  const [{ exported }] = compilePrograms({ entries: Object.values(entries) })
  return Object.keys(entries).flatMap((entry, index) => exported[index]!.map(one => ({ entry, ...one })))
}

/** The compiler's messages about each example, by name; empty: none. Names are imported, the scope is declared. */
export function exampleErrors(documented: readonly Documented[]): Map<Documented, string> {
  const textOf = (one: Documented) => `${importsFor(one, documented)}\n${one.example}\nexport {}\n`
  const paths = new Map(documented.map((one, index) => [one, `reference-${index}.tsx`]))
  // An augmentation applies to every file of its program.
  const [augmenting, others] = [true, false].map(does => ({
    texts: Object.fromEntries(
      [...paths]
        .filter(([{ example }]) => example.includes('declare module') === does)
        .map(([one, path]) => [path, textOf(one)]),
    ),
    files: ['test/docs/reference-scope.ts'],
  }))
  const [one, other] = compilePrograms(augmenting!, others!)
  const errors = { ...one.errors, ...other.errors }
  return new Map([...paths].map(([each, path]) => [each, errors[path]!]))
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
