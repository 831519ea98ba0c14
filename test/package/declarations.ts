import { join } from 'node:path'
import ts from 'typescript'

/** A runtime declaration at the top of a file: a definition, function, class or constant. */
export interface Declaration {
  readonly name: string
  /** Its file: `src/entities/teams/client.ts`. */
  readonly file: string
  /** Every text written in it: routes, field names, messages. */
  readonly strings: ReadonlySet<string>
}
export interface Declarations {
  readonly all: ReadonlySet<Declaration>
  /** The exports of an entry by name. */
  readonly exported: ReadonlyMap<string, Declaration>
  /** These declarations and all declarations that they refer to, directly or not. */
  neededBy(names: readonly string[]): ReadonlySet<Declaration>
}

interface Node extends Declaration {
  readonly refersTo: readonly ts.Symbol[]
}

/** Reads from the sources which declaration refers to which, as exactly as the best bundler could. */
export function readDeclarations(root: string, entry: string): Declarations {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), path => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = programOf(join(root, entry), options)
  const checker = program.getTypeChecker()
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  const nodes = new Map<ts.Symbol, Node>()
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(join(root, 'src/'))) continue
    for (const declaration of file.statements.flatMap(topLevel)) {
      const symbol = checker.getSymbolAtLocation(declaration.name)!
      nodes.set(symbol, {
        name: symbol.name,
        file: file.fileName.slice(root.length + 1),
        ...contents(declaration.node, checker, resolved),
      })
    }
  }

  const entryFile = checker.getSymbolAtLocation(program.getSourceFile(join(root, entry))!)!
  const exported = new Map(
    checker.getExportsOfModule(entryFile).flatMap(symbol => {
      const node = nodes.get(resolved(symbol))
      return node ? [[symbol.name, node] as const] : []
    }),
  )
  return {
    all: new Set(nodes.values()),
    exported,
    neededBy(names) {
      const needed = new Set(
        names.map(name => {
          const node = exported.get(name)
          if (!node) throw new Error(`${entry} does not export ${name}`)
          return node
        }),
      )
      // Iterating over a set includes items added meanwhile.
      for (const { refersTo } of needed) {
        for (const symbol of refersTo) {
          const node = nodes.get(symbol)
          if (node) needed.add(node)
        }
      }
      return needed
    },
  }
}

/** Of the sources alone: their symbols need no type of a package or a library. */
function programOf(entry: string, own: ts.CompilerOptions): ts.Program {
  const options = { ...own, noLib: true, types: [] }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) =>
      text.startsWith('.') ? ts.resolveModuleName(text, from, options, host) : { resolvedModule: undefined },
    )
  return ts.createProgram([entry], options, host)
}

function topLevel(statement: ts.Statement): { name: ts.Identifier; node: ts.Node }[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(node => namesOf(node.name).map(name => ({ name, node })))
  }
  const isNamed = (ts.isFunctionDeclaration(statement) && statement.body) || ts.isClassDeclaration(statement)
  return isNamed && statement.name ? [{ name: statement.name, node: statement }] : []
}

function namesOf(name: ts.BindingName): ts.Identifier[] {
  if (ts.isIdentifier(name)) return [name]
  return name.elements.flatMap(element => (ts.isBindingElement(element) ? namesOf(element.name) : []))
}

function contents(
  declaration: ts.Node,
  checker: ts.TypeChecker,
  resolved: (symbol: ts.Symbol) => ts.Symbol,
): { strings: ReadonlySet<string>; refersTo: readonly ts.Symbol[] } {
  /** A member of a value is no declaration, and to find it would take the type of the value; one of a namespace is. */
  const isOfValue = (node: ts.Identifier): boolean => {
    if (!ts.isPropertyAccessExpression(node.parent) || node.parent.name !== node) return false
    const of = node.parent.expression
    const symbol = ts.isIdentifier(of) && checker.getSymbolAtLocation(of)
    return !symbol || !(resolved(symbol).flags & ts.SymbolFlags.Module)
  }
  const strings = new Set<string>()
  const refersTo: ts.Symbol[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    if (ts.isStringLiteralLike(node)) strings.add(node.text)
    if (ts.isIdentifier(node) && !isOfValue(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node)
      if (symbol) refersTo.push(resolved(symbol))
    }
    ts.forEachChild(node, visit)
  }
  visit(declaration)
  return { strings, refersTo }
}
