/**
 * The address, or null if the text is none. Not by `URL.canParse`: in Node 20 that begins to refuse addresses with letters
 * like "ü" as soon as it has been called often.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
