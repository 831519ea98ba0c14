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
    ts.forEachChild(node, visit)
  }
  const negate = (condition: ts.Expression) => {
    replace(condition, `!(${condition.getText(source)})`)
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

/** Without it a class would fail in every test, or not compile. */
function isSuperCall({ expression }: ts.ExpressionStatement): boolean {
  return ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword
}
