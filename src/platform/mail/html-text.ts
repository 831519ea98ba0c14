const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

// Written by hand, tag by tag: any caller may send the HTML, and regular expressions for pairs of tags take quadratic
// time.

interface Tag {
  /** In lower case; that of an end tag begins with a slash. Empty for comments and other markup without a name. */
  readonly name: string
  /** The target of a link; null for other tags and for links without one. */
  readonly href: string | null
  readonly start: number
  readonly end: number
}

/** The HTML as plain text, with the address after each link, and the addresses of the links in order. */
export function readHtml(html: string): { readonly text: string; readonly links: readonly string[] } {
  const parts: string[] = []
  const links: string[] = []
  const endless = new Set<string>()
  let open: string | null = null
  let at = 0
  for (let tag = tagAfter(html, at); tag; tag = tagAfter(html, at)) {
    const { name, href, start, end } = tag
    parts.push(html.slice(at, start))
    at = end
    open ??= href
    if (name === '/a' && open !== null) {
      parts.push(` (${open})`)
      links.push(unescapeHtml(open))
      open = null
    } else if (/^(?:br|\/(?:p|div|h\d|li|tr))$/.test(name)) parts.push('\n')
    else if (/^(?:style|script|head)$/.test(name) && !endless.has(name)) {
      const ended = endTagOf(name, html, end)
      // An element without an end tag hides nothing.
      if (ended < 0) endless.add(name)
      else at = ended
    }
  }
  parts.push(html.slice(at))
  const text = unescapeHtml(parts.join(''))
    .replace(/\u00a0/g, ' ')
    .replace(/\n\s*\n/g, '\n')
    .trim()
  return { text: `${text}\n`, links }
}

/** The next tag from the index on: it ends at the first `>`, in a link at the first one after its address. */
function tagAfter(html: string, from: number): Tag | null {
  let start = html.indexOf('<', from)
  // A "<" before any other character is text.
  while (start >= 0 && !/[a-z/!?]/i.test(html.slice(start + 1, start + 2))) start = html.indexOf('<', start + 1)
  const first = start < 0 ? -1 : html.indexOf('>', start)
  if (first < 0) return null
  const source = html.slice(start + 1, first)
  const name = (/^\/?[a-z][a-z\d]*/i.exec(source)?.[0] ?? '').toLowerCase()
  const attribute = name === 'a' ? /\shref="/i.exec(source) : null
  if (attribute) {
    const begin = start + 1 + attribute.index + attribute[0].length
    const last = html.indexOf('"', begin)
    const end = last < 0 ? -1 : html.indexOf('>', last)
    if (end >= 0) return { name, href: html.slice(begin, last), start, end: end + 1 }
  }
  return { name, href: null, start, end: first + 1 }
}

/** HTML without tags as plain text. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name.toLowerCase()] ?? whole
  })
}

/** The index of the element's next end tag; `from` is where its content begins. -1: there is none. */
function endTagOf(name: string, html: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const end = at + 2 + name.length
    if (html.slice(at + 2, end).toLowerCase() === name && /[\s/>]/.test(html.slice(end, end + 1))) return at
  }
  return -1
}
