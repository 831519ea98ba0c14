import ts from 'typescript'

/** A program as a page shows it. */
export interface Printed {
  readonly code: string
  readonly extension: 'ts' | 'tsx'
}

/** `expression // → value` as `console.log(expression) // → value`, unless it prints something itself. */
export function printing({ code, extension }: Printed): string {
  const source = ts.createSourceFile(`example.${extension}`, code, ts.ScriptTarget.ES2022, true)
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isExpressionStatement(node)) return
    const isPromised = (ts.getTrailingCommentRanges(code, node.end) ?? []).some(({ pos }) =>
      code.startsWith('// → ', pos),
    )
    const { expression } = node
    if (!isPromised || expression.getText(source).includes('console.log(')) return
    edits.push({ at: expression.getStart(source), text: 'console.log(' }, { at: expression.end, text: ')' })
  }
  visit(source)
  return edited(code, edits)
}

/** The output that the comments promise. */
export function expectedOutput(code: string): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text!.trim())
}

/** A text to put in before a place. */
export interface Edit {
  readonly at: number
  readonly text: string
}

export function edited(code: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), code)
}
