const linkForm = /<a\b[^>]*?href="([^"]*)"[^>]*>([^]*?)<\/a\s*>/gi
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Where its links lead, in order. */
export function linksInHtml(html: string): string[] {
  return [...html.matchAll(linkForm)].map(([, link = '']) => unescapeHtml(link))
}

/** What a mail program without HTML shows: the text, with the address behind each link. */
export function textOfHtml(html: string): string {
  const text = html
    .replace(/<(style|script|head)\b[^]*?<\/\1\s*>/gi, '')
    .replace(linkForm, '$2 ($1)')
    .replace(/<br\b[^>]*>|<\/(p|div|h\d|li|tr)\s*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
  return `${unescapeHtml(text)
    .replace(/\n\s*\n/g, '\n')
    .trim()}\n`
}

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    if (name === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return entities[name.toLowerCase()] ?? whole
  })
}
