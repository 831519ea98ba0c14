import { thrownBy } from './tsx-faults'

/** The names that a source imports. Written by hand: each character of it is read a few times only. */
export function importsIn(source: string): ReadonlySet<string> {
  const names = new Set<string>()
  const start = /\bimport\s/g
  for (let found = start.exec(source); found; found = start.exec(source)) {
    const end = source.slice(start.lastIndex).search(/["']/)
    if (end < 0) break
    const clause = source.slice(start.lastIndex, start.lastIndex + end)
    for (const [name] of clause.matchAll(/[\w$]+/g)) names.add(name)
    start.lastIndex += end
  }
  return names
}

/** What the platform says of a component that a source uses without importing it; null: it imports all. */
export function undefinedIn(source: string, used: ReadonlySet<string>): string | null {
  const imported = used.size === 0 ? used : importsIn(source)
  for (const name of used) if (!imported.has(name)) return thrownBy(`${name} is not defined`, 'ReferenceError')
  return null
}

/** The values with which a template is shown: `EmailTemplate.PreviewVariables = { name: 'Ada', count: 5 }`. */
export function previewVariablesIn(source: string): Readonly<Record<string, unknown>> {
  const [, body = ''] = /\.PreviewVariables\s*=\s*\{([^}]*)\}/.exec(source) ?? []
  const pairs = body.matchAll(/(?<!\w)(\w+)["']?\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|(-?\d+(?:\.\d+)?|true|false)\b)/g)
  return Object.fromEntries(
    Array.from(pairs, ([, name = '', double, single, literal]): [string, unknown] => [
      name,
      double ?? single ?? (JSON.parse(literal ?? 'null') as unknown),
    ]),
  )
}

/** The variables that a template demands: `variablesSchema = type({ name: 'string', 'nick?': 'string' })` demands one. */
export function demandedIn(source: string): readonly string[] {
  const [, body = ''] = /\bvariablesSchema\s*=\s*type\(\s*\{([^}]*)\}/.exec(source) ?? []
  return Array.from(body.matchAll(/(?:^|[,{\s])["']?(\w+)(\??)["']?\s*:/g)).flatMap(([, name = '', mark]) =>
    mark === '?' ? [] : [name],
  )
}
