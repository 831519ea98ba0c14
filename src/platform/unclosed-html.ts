/** `<`, a name and attributes; within quotes everything else is text. */
const tag = /<\/?([a-z][^\s/>]*)(?:[^>"']|"[^"]*"|'[^']*')*>/iy

/** What these begin is no HTML until they end. */
const rawText = /^(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript)$/i

/**
 * What the HTML begins and does not end, so that it would take in what a page puts after it: a comment, a tag, or an element
 * whose content is text. Null: nothing. Other elements that are not closed end with the page.
 */
export function unclosedIn(html: string): string | null {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end < 0) return 'a comment'
      at = end + 3
    } else if (/^<\/?[a-z]/i.test(html.slice(at, at + 3))) {
      tag.lastIndex = at
      const [whole, name = ''] = tag.exec(html) ?? []
      if (whole === undefined) return 'a tag'
      at += whole.length
      if (whole.startsWith('</') || !rawText.test(name)) continue
      const length = html.slice(at).search(new RegExp(`</${name}[\\s/>]`, 'i'))
      if (length < 0) return `<${name.toLowerCase()}>`
      at += length
    } else at++
  }
  return null
}
