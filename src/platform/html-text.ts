import { endTagOf } from './unclosed-html'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

// By hand, tag after tag: anybody may send the HTML, and expressions for pairs of tags look for the second one anew from
// each of the first.

interface Tag {
  /** In lower case; an end tag's begins with a slash. Empty: a comment and the like. */
  readonly name: string
  /** Of a link; null where it leads nowhere. */
  readonly href: string | null
  readonly start: number
  readonly end: number
}

/** Where its links lead, in order. */
export function linksInHtml(html: string): string[] {
  const links: string[] = []
  let open: string | null = null
  for (let tag = tagAfter(html, 0); tag; tag = tagAfter(html, tag.end)) {
    open ??= tag.href
    if (tag.name !== '/a' || open === null) continue
    links.push(unescapeHtml(open))
    open = null
  }
  return links
}

/** What a mail program without HTML shows: the text, with the address behind each link. */
export function textOfHtml(html: string): string {
  const parts: string[] = []
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
      open = null
    } else if (/^(?:br|\/(?:p|div|h\d|li|tr))$/.test(name)) parts.push('\n')
    else if (/^(?:style|script|head)$/.test(name) && !endless.has(name)) {
      const ended = endTagOf(name, html, end)
      // What does not end hides nothing.
      if (ended < 0) endless.add(name)
      else at = ended
    }
  }
  parts.push(html.slice(at))
  return `${unescapeHtml(parts.join(''))
    .replace(/\n\s*\n/g, '\n')
    .trim()}\n`
}

/** The next tag from there on: up to the first `>`, but that of a link after the address. */
function tagAfter(html: string, from: number): Tag | null {
  let start = html.indexOf('<', from)
  // Before anything else it is a character of the text.
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

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name.toLowerCase()] ?? whole
  })
}
