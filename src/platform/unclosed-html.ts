/** What these begin is no HTML until they end. */
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
 * What the HTML begins and does not end, so that it would take in what a page puts after it: a comment, a tag, or an element
 * whose content is text. Null: nothing. Other elements that are not closed end with the page.
 *
 * Anybody may send it, so no character is looked at more than a few times. By hand: an expression for a tag has a name and
 * attributes that could share characters, and tries every way to do so.
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

/** The next end tag of the element, whose content begins at `from`; -1: there is none. */
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

/** After the `>` that ends a tag; within quotes it is text. -1: nothing ends it. */
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
