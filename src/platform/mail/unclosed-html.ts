/** Elements whose content is text until their end tag. */
const rawText: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
])

/**
 * The first thing that the HTML opens and does not close, so that it would swallow the rest of a page: a comment, a tag,
 * or an element whose content is text. Null: nothing. Other unclosed elements end with the page.
 *
 *  Written by hand, since any caller may send the HTML and each character must be read only a few times: a regular
 * expression for a tag has a name and attributes that can match the same characters, and tries every combination.
 */
export function unclosedIn(html: string): string | null {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end < 0) return 'a comment'
      at = end + 3
      continue
    }
    const isEnd = html.startsWith('/', at + 1)
    const nameAt = at + (isEnd ? 2 : 1)
    if (!isLetter(html.charCodeAt(nameAt))) {
      at++
      continue
    }
    const nameEnd = endOfName(html, nameAt)
    at = endOfTag(html, nameEnd)
    if (at < 0) return 'a tag'
    const name = html.slice(nameAt, nameEnd).toLowerCase()
    if (isEnd || !rawText.has(name)) continue
    at = endTagOf(name, html, at)
    if (at < 0) return `<${name}>`
  }
  return null
}

/** The index of the element's next end tag; `from` is where its content begins. -1: there is none. */
export function endTagOf(name: string, html: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length
    if (html.slice(at + 2, end).toLowerCase() === name && endsName(html.charCodeAt(end))) return at
  }
  return -1
}

function endOfName(html: string, from: number): number {
  let at = from
  while (at < html.length && !endsName(html.charCodeAt(at))) at++
  return at
}

/** The index after the `>` that ends the tag; within quotes `>` is text. -1: the tag is not closed. */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === greater) return at + 1
    if (code !== quote && code !== apostrophe) continue
    at = html.indexOf(code === quote ? '"' : "'", at + 1)
    if (at < 0) return -1
  }
  return -1
}

const [quote, apostrophe, slash, greater] = [0x22, 0x27, 0x2f, 0x3e]

function endsName(code: number): boolean {
  return code === slash || code === greater || code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
