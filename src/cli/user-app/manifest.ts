import { isRecord } from '../../core/values'

/** Of a package.json. */
export interface Manifest {
  /** With its byte order mark and line endings. */
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
}

/** Parses the text of a package.json. Throws an error with the line of the first mistake. */
export function readManifest(text: string): Manifest {
  const json = text.replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new Error(`package.json is not valid JSON, in line ${lineAt(text, new Scan(text).end)}`, { cause: error })
  }
  if (!isRecord(value)) throw new Error('package.json must have an object')
  const { scripts = {} } = value
  if (!isRecord(scripts)) throw new Error('"scripts" of package.json must be an object')
  return { text, value }
}

/** The names of all dependencies. */
export function dependenciesIn(manifest: Manifest): ReadonlySet<string> {
  return new Set(listsOf(manifest).flatMap(Object.keys))
}

/** The versions of a dependency that package.json allows; undefined if it names none. */
export function rangeOf(manifest: Manifest, name: string): string | undefined {
  const range = listsOf(manifest).find(list => Object.hasOwn(list, name))?.[name]
  return typeof range === 'string' ? range : undefined
}

function listsOf({ value }: Manifest) {
  const names = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return names.map(name => value[name]).filter(isRecord)
}

/** The script of this name; undefined if there is none. */
export function scriptOf({ value: { scripts } }: Manifest, name: string): string | undefined {
  const text = isRecord(scripts) && Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return typeof text === 'string' ? text : undefined
}

/** The text with one more script, which is the last one. Everything else stays, each blank and line ending too. */
export function withScript({ text }: Manifest, name: string, command: string): string {
  const scan = new Scan(text)
  // Of two members with one name, the last one counts.
  const scripts = scan.members.filter(({ key }) => key === 'scripts').at(-1)
  const member = `${JSON.stringify(name)}: ${JSON.stringify(command)}`
  const { newline, isOneLine, indent } = formOf(text, scan)
  if (!scripts) {
    const object = isOneLine ? `{ ${member} }` : `{${newline}${indent}${indent}${member}${newline}${indent}}`
    return insert(text, scan, `"scripts": ${object}`, isOneLine ? ' ' : newline + indent, newline)
  }
  const inner = new Scan(text, scripts.valueStart)
  const [first] = inner.members
  const isInLine = isOneLine || (first !== undefined && !gapBefore(text, first.start).includes('\n'))
  const gap = first && !isInLine ? gapBefore(text, first.start) : isInLine ? ' ' : newline + indent + indent
  return insert(text, inner, member, gap, isInLine ? '' : newline + indent)
}

/** The text of an app of ES modules; everything else stays. */
export function withModuleType({ text }: Manifest): string {
  const scan = new Scan(text)
  const { newline, isOneLine, indent } = formOf(text, scan)
  return insert(text, scan, moduleType, isOneLine ? ' ' : newline + indent, newline)
}

/** What makes files with the ending .js or .ts ES modules. */
export const moduleType = '"type": "module"'

/** How the members of an object are set apart. */
function formOf(text: string, { members, start }: Place) {
  const outer = gapBefore(text, members[0]?.start ?? start + 1)
  return {
    newline: outer.includes('\r\n') || (outer === '' && text.includes('\r\n')) ? '\r\n' : '\n',
    isOneLine: !outer.includes('\n') && members.length > 0,
    indent: outer.slice(outer.lastIndexOf('\n') + 1) || '  ',
  }
}

interface Place {
  readonly members: readonly Member[]
  readonly start: number
  readonly end: number
}

function insert(text: string, { members, start, end }: Place, member: string, gap: string, closing: string): string {
  const last = members.at(-1)
  if (last) return `${text.slice(0, last.end)},${gap}${member}${text.slice(last.end)}`
  const inside = gap === ' ' ? ` ${member} ` : `${gap}${member}${closing}`
  return text.slice(0, start + 1) + inside + text.slice(end - 1)
}

/** The blanks before a place. */
function gapBefore(text: string, at: number): string {
  let start = at
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start--
  return text.slice(start, at)
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n|\r|\n/).length
}

interface Member {
  readonly key: string
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

const blanks = /[\uFEFF \t\r\n]*/y

const scalar =
  // eslint-disable-next-line no-control-regex -- JSON has none of these in its texts
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The members of an object in a text of JSON, each with its place, up to the first mistake. */
class Scan implements Place {
  readonly members: Member[] = []
  readonly start: number
  /** Behind the object, or the place of the first mistake. */
  end: number

  constructor(text: string, from = 0) {
    this.start = skip(blanks, text, from)
    this.end = this.start
    this.#read(text)
  }

  #read(text: string): void {
    /** The open brackets. Nothing here calls itself: the text may be nested as deep as it likes. */
    const open: string[] = []
    let wants: 'value' | 'key' | 'colon' | 'comma' = 'value'
    let isFirst = false
    let key = ''
    let [start, valueStart] = [0, 0]
    const close = () => {
      open.pop()
      wants = 'comma'
    }
    for (;;) {
      const at = skip(blanks, text, this.end)
      const sign = text.charAt(at)
      const isClosing = sign === (open.at(-1) === '{' ? '}' : ']') && open.length > 0
      this.end = at + 1
      if (isClosing && (wants === 'comma' || isFirst)) close()
      else if (wants === 'comma' && sign === ',') wants = open.at(-1) === '{' ? 'key' : 'value'
      else if (wants === 'colon' && sign === ':') wants = 'value'
      else if (wants === 'value' && (sign === '{' || sign === '[')) {
        if (open.length === 1) valueStart = at
        open.push(sign)
        wants = sign === '{' ? 'key' : 'value'
        isFirst = true
        continue
      } else {
        const end = wants === 'value' || (wants === 'key' && sign === '"') ? skip(scalar, text, at) : at
        this.end = end
        if (end === at) return
        if (wants === 'key' && open.length === 1) [key, start] = [JSON.parse(text.slice(at, end)) as string, at]
        if (wants === 'value' && open.length === 1) valueStart = at
        wants = wants === 'key' ? 'colon' : 'comma'
      }
      isFirst = false
      if (wants === 'comma' && open.length === 1 && open[0] === '{')
        this.members.push({ key, start, valueStart, end: this.end })
      if (open.length === 0) return
    }
  }
}

/** The end of what the expression finds at the place. */
function skip(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at
  return expression.test(text) ? expression.lastIndex : at
}
