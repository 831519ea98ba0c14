import ts from 'typescript'

/** One small change of a source file that a test should notice. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** From 1. */
  readonly line: number
}

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

/** Every mutation of a source, in the order of the text. Types, imports and texts for developers are left out. */
export function mutationsOf(text: string, file: string): Mutation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const replace = (node: ts.Node, replacement: string, place = node) => {
    const line = source.getLineAndCharacterOfPosition(place.getStart(source)).line + 1
    found.push({ start: node.getStart(source), end: node.getEnd(), replacement, line })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || isDirective(node)) return
    if (isName(node) || isImport(node)) return
    // The message of an error may change; its code comes first and may not.
    if (isError(node)) {
      node.arguments?.slice(0, 1).forEach(visit)
      return
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression)
    else if (ts.isConditionalExpression(node)) negate(node.condition)
    else if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node
      const other = operators[operatorToken.getText(source)]
      if (other !== undefined) replace(operatorToken, other)
      // In parentheses, since `a ?? b && c` is a syntax error.
      else if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
        replace(node, `((${left.getText(source)}) && (${right.getText(source)}))`, operatorToken)
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      replace(node, node.operand.getText(source))
    else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false')
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true')
    else if (ts.isNumericLiteral(node)) replace(node, `(${node.text} + 1)`)
    else if (ts.isStringLiteral(node)) replace(node, node.text === '' ? "'mutant'" : "''")
    else if (ts.isReturnStatement(node) && node.expression && node.expression.getText(source) !== 'undefined')
      replace(node, 'return undefined as never')
    else if (ts.isExpressionStatement(node) && !isSuperCall(node)) replace(node, ';')
    else if (ts.isAwaitExpression(node)) replace(node, node.expression.getText(source))
    const copied = copiedBy(node)
    if (copied) replace(node, copied.getText(source))
    if (isBlock(node)) node.statements.forEach(exchange)
    ts.forEachChild(node, visit)
  }
  const negate = (condition: ts.Expression) => {
    replace(condition, `!(${condition.getText(source)})`)
  }
  const exchange = (second: ts.Statement, index: number, { [index - 1]: first }: readonly ts.Statement[]) => {
    if (!first || !areExchangeable(first, second)) return
    const [start, end] = [first.getStart(source), second.getEnd()]
    const between = text.slice(first.getEnd(), second.getStart(source))
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    const replacement = second.getText(source).replace(/(?<![;}])$/, ';') + between + first.getText(source)
    found.push({ start, end, replacement, line })
  }
  visit(source)
  return found.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The text with the mutation applied. */
export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function isError(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    /Error$|^(invalidInput|invalidResponse|misuse)$/.test(node.expression.text)
  )
}

/** A property's name and not a value. */
function isName(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node) && !ts.isNumericLiteral(node)) return false
  const { parent } = node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  return (ts.isObjectLiteralElement(parent) || ts.isClassElement(parent)) && parent.name === node
}

/** `import('…')`. */
function isImport(node: ts.Node): boolean {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
}

function isDirective(node: ts.Node): boolean {
  return ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression)
}

function isBlock(node: ts.Node): node is ts.BlockLike {
  return ts.isSourceFile(node) || ts.isBlock(node) || ts.isCaseOrDefaultClause(node)
}

/** Whether two neighbours do something whose order a test may notice. Behind a jump nothing runs. */
function areExchangeable(...statements: readonly [ts.Statement, ts.Statement]): boolean {
  const [declaring, acting] = ts.isVariableStatement(statements[0]) ? statements : [statements[1], statements[0]]
  if (!acts(acting)) return false
  return ts.isVariableStatement(declaring) ? !uses(acting, declaring) : acts(declaring)
}

function acts(statement: ts.Statement): boolean {
  if (ts.isExpressionStatement(statement)) return !isDirective(statement) && !isSuperCall(statement)
  return ts.isIfStatement(statement) || ts.isTryStatement(statement) || ts.isIterationStatement(statement, false)
}

/** Whether the statement mentions what the other one declares: before the declaration it would throw. */
function uses(statement: ts.Node, { declarationList }: ts.VariableStatement): boolean {
  const names = new Set<string>()
  const note = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.add(name.text)
    else for (const element of name.elements) if (ts.isBindingElement(element)) note(element.name)
  }
  for (const { name } of declarationList.declarations) note(name)
  const mentions = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && names.has(node.text)) || ts.forEachChild(node, mentions) === true
  return mentions(statement)
}

/** The value that an expression copies as it is: `{ ...x }`, `[...x]`, `x.slice()`, `structuredClone(x)`. */
function copiedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) {
    const [only, ...others]: readonly ts.Node[] = ts.isArrayLiteralExpression(node) ? node.elements : node.properties
    const isSpread = only && (ts.isSpreadElement(only) || ts.isSpreadAssignment(only))
    return isSpread && others.length === 0 ? only.expression : undefined
  }
  if (!ts.isCallExpression(node)) return undefined
  const { expression: called, arguments: given } = node
  if (ts.isIdentifier(called) && called.text === 'structuredClone') return given[0]
  const isSlice = ts.isPropertyAccessExpression(called) && called.name.text === 'slice' && given.length === 0
  return isSlice ? called.expression : undefined
}

/** Without it a class would fail in every test, or not compile. */
function isSuperCall({ expression }: ts.ExpressionStatement): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword
}
