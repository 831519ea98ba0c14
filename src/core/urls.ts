import { orUndefined } from './values'

/**
 * The parsed URL, or null if the text is not one. `URL.canParse` is avoided: after many calls, Node 20's refuses URLs with
 * letters like "ü".
 */
export function parseUrl(text: string, base?: string): URL | null {
  return orUndefined(() => new URL(text, base)) ?? null
}

/** The text without this character at its end. A regular expression would be quadratic. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end--
  return text.slice(0, end)
}

/** The text without what cannot be seen at its ends: white space, and the zero-width space that `trim` leaves. */
export function withoutBlankEnds(text: string): string {
  const seen = text.replaceAll('\u200B', ' ')
  return text.slice(seen.length - seen.trimStart().length, seen.trimEnd().length)
}

/** `text` without anything that looks like a token, a code, a key or an e-mail address; at most 1,000 characters. */
export function redact(text: string): string {
  return (
    text
      .slice(0, 4000)
      .replace(/eyJ[\w-]*(\.[\w-]*){0,2}/g, '[token]')
      .replace(/\b(?:pck|ssk|sak|sk|pk|whsec)_[\w+/=-]+/g, '[key]')
      .replace(/\b(?=\w*\d)\w{24,}\b/g, '[secret]')
      // An apostrophe is part of an address, but not its first character, which is a quote.
      .replace(/(?:"[^"]*"(?=@)|[^\s"'<>@][^\s"<>@]*)(@[^\s"'<>@]+)?/g, (run, domain) =>
        domain || /.%(25)*40./.test(run) ? '[email]' : run,
      )
      .slice(0, 1000)
  )
}
