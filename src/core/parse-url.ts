/**
 * The parsed URL, or null if the text is not one. `URL.canParse` is avoided: after many calls, Node 20's refuses URLs with
 * letters like "ü".
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
