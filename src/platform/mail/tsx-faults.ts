import { isSpace } from './markup-scanner'
import type { Fault } from './markup-scanner'
import { endOfComment, endOfToken } from './returned-jsx'

/** What is found in a source without executing it. */
interface Found {
  readonly fault: Fault | undefined
  /** The message of an error that the component throws, whatever it is given. */
  readonly thrown: string | undefined
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const closers = new Set(Object.values(closing))
const components = new Set(['EmailTemplate', 'EmailTheme'])
const declaring = new Set(['function', 'const', 'let', 'var'])

/** After such a token a slash begins a regular expression. */
const beforeRegExp = /^(?:[(,=:[!&|?{};]|return|)$/
const regExp = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y
const thrownError = /throw\s+(?:new\s+)?[\w$.]+\(\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)'|`([^`\\$]*)`)/y

/**
 * The first bracket that does not fit, and the error that is thrown at the top of the source or of its component. The JSX
 * between `from` and `end` is passed over.
 *
 *  Written by hand, since a JavaScript parser would be a part of every page with a local platform. Any caller may send the
 * source: each character is read a few times only.
 */
export function foundIn(source: string, [from, end]: readonly [number, number]): Found {
  const open: string[] = []
  let previous = ''
  let place: 'outside' | 'declared' | 'inside' | 'returned' = 'outside'
  let thrown: string | undefined
  for (let at = 0, lineBegins = true; at < source.length;) {
    const code = source.charCodeAt(at)
    const next = at === from ? end : endOfComment(source, at)
    if (next !== at || isSpace(code)) {
      lineBegins ||= code === 0x0a
      at = Math.max(next, at + 1)
      continue
    }
    const start = at
    regExp.lastIndex = at
    const isRegExp = source[at] === '/' && beforeRegExp.test(previous) && regExp.test(source)
    at = isRegExp ? regExp.lastIndex : endOfToken(source, at)
    const token = source.slice(start, at)
    if (open.length === 0 && components.has(token) && declaring.has(previous)) place = 'declared'
    if (place === 'inside' && open.length === 1 && token === 'return') place = 'returned'
    const isAlways = previous !== 'else' && (previous !== ')' || lineBegins)
    if (token === 'throw' && isAlways && (open.length === 0 || (place === 'inside' && open.length === 1)))
      thrown ??= messageAt(source, start)
    if (token in closing) {
      if (token === '{' && open.length === 0 && place === 'declared') place = 'inside'
      open.push(token)
    } else if (closers.has(token)) {
      const wanted = closing[open.pop() ?? '']
      if (wanted !== token)
        return { thrown, fault: { at: start, text: misfit(token, wanted ?? (isOperand(previous) ? ';' : undefined)) } }
      if (open.length === 0 && place !== 'declared') place = 'outside'
    }
    previous = token
    lineBegins = false
  }
  const fault = open.length > 0 ? { at: source.length, text: atEnd(open, previous) } : undefined
  return { thrown, fault }
}

function misfit(token: string, wanted: string | undefined): string {
  return wanted === undefined ? `Unexpected "${token}"` : `Expected "${wanted}" but found "${token}"`
}

function messageAt(source: string, at: number): string {
  thrownError.lastIndex = at
  const [, ...texts] = thrownError.exec(source) ?? []
  return texts.find(text => text !== undefined) ?? ''
}

/** Whether a value may end with the token. */
function isOperand(token: string): boolean {
  return /^[\w$)\]}"'`]/.test(token)
}

function atEnd(open: readonly string[], previous: string): string {
  const [outer, last = ''] = [open.at(-2), open.at(-1)]
  if (last === '{') return outer === '(' || outer === '[' ? 'Expected identifier but found end of file' : endOfFile
  return isOperand(previous) ? `Expected "${closing[last]}" but found end of file` : endOfFile
}

const endOfFile = 'Unexpected end of file'

/** The complaint of a build about a file: the platform builds each source under a name of its own. */
export function failedBuild(source: string, file: 'template' | 'theme', { at, text }: Fault): string {
  const { line, column } = placeIn(source, at)
  const place = `virtual:/${file}.tsx:${line}:${column}`
  return `Build failed with 1 error:\n${place}: ERROR: ${text}`
}

/** The line, from 1 on, and the column, from 0 on, of an index. */
export function placeIn(source: string, at: number) {
  const lines = source.slice(0, at).split('\n')
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 }
}

/** The complaint about an error of a source that was built. */
export function thrownBy(message: string, kind = 'Error'): string {
  return JSON.stringify({ message, stack: `${kind}: ${message}` })
}
