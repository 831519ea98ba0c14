import { isOfWord, isSpace } from './markup-scanner'

const [lineBreak, quote, apostrophe, openParenthesis, star, slash, less, backslash, backtick] = [
  0x0a, 0x22, 0x27, 0x28, 0x2a, 0x2f, 0x3c, 0x5c, 0x60,
]

/**
 * The index of the first JSX from `from` on that a function returns: `return <p>`, `return (<p>` or `=> <p>`. -1: there is
 * none. Comments and strings are skipped.
 *
 *  Written by hand, since any caller may send the source and each character must be read only a few times.
 */
export function returnedJsx(source: string, from: number): number {
  let isReturned = false
  for (let at = from; at < source.length;) {
    const code = source.charCodeAt(at)
    const next = endOfComment(source, at)
    if (next !== at) at = next
    else if (isSpace(code) || (isReturned && code === openParenthesis)) at++
    else if (isReturned && code === less) return at
    else if (source.startsWith('=>', at)) {
      isReturned = true
      at += 2
    } else {
      at = endOfToken(source, at)
      isReturned = source.slice(next, at) === 'return'
    }
  }
  return -1
}

/** The index after the comment at `at`; `at` if there is none. */
export function endOfComment(source: string, at: number): number {
  if (source.charCodeAt(at) !== slash) return at
  const kind = source.charCodeAt(at + 1)
  if (kind !== slash && kind !== star) return at
  const end = source.indexOf(kind === slash ? '\n' : '*/', at + 2)
  return end < 0 ? source.length : end + (kind === slash ? 1 : 2)
}

/** The index after a word, a string, or any other character. */
export function endOfToken(source: string, at: number): number {
  const code = source.charCodeAt(at)
  if (code === quote || code === apostrophe || code === backtick) return endOfString(source, at, code)
  let end = at
  while (isOfWord(source.charCodeAt(end))) end++
  return Math.max(end, at + 1)
}

/** A line break ends a string that is not closed, such as the quote of a regular expression; not a template string. */
function endOfString(source: string, start: number, closing: number): number {
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === closing || (code === lineBreak && closing !== backtick)) return at + 1
    if (code === backslash) at++
  }
  return source.length
}
