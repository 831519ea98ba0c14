import { posix } from 'node:path'
import * as ts from 'typescript'
import { importedFiles } from './layers'

/** The path of a file's test below `test`, without its ending: `src/store/cell.ts` → `store/cell`. */
export function mirrorOf(path: string): string {
  return path.replace(/^src\//, '').replace(/\.tsx?$/, '')
}

/**
 * The files that decide something, and whose test cannot be found by their path: there is none at the mirrored path, nor at that
 * of a file beside them that imports them.
 */
export function untested(sources: ReadonlyMap<string, string>, tests: ReadonlySet<string>): string[] {
  const users = new Map<string, string[]>()
  for (const [path, text] of sources)
    for (const target of importedFiles(path, text, sources)) users.set(target, [...(users.get(target) ?? []), path])
  const isFound = (path: string, seen = new Set<string>()): boolean => {
    if (tests.has(mirrorOf(path))) return true
    seen.add(path)
    const beside = (users.get(path) ?? []).filter(
      user => posix.dirname(user) === posix.dirname(path) && !seen.has(user),
    )
    return beside.some(user => isFound(user, seen))
  }
  return [...sources].flatMap(([path, text]) => (decides(path, text) && !isFound(path) ? [path] : []))
}

const decisions = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.SwitchStatement,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

function decides(path: string, text: string): boolean {
  const visit = (node: ts.Node): boolean => decisions.has(node.kind) || (ts.forEachChild(node, visit) ?? false)
  return visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false))
}
