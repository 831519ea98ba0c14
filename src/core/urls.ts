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

/**
 * A code as it was meant, of a text that a person has typed or pasted: that of the parameter, if it is a link; then with the
 * digits 0 to 9 in place of those of other scripts, without white space, dashes and invisible characters. Codes of the platform
 * stay as they are. Never for a password or a key, in which all of these count.
 */
export function pastedCode(text: string, parameter = 'code'): string {
  // Before anything else: a normalised link is another link. The query may be in the hash, the link in `<…>` or of HTML.
  const [, value] = new RegExp(`[?&#;]${parameter}=([^&#<>"]*)`).exec(text) ?? []
  return (value === undefined ? text : decoded(value.replaceAll('+', ' ')))
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\s\p{Cf}\p{Pd}]/gu, '')
}

/** The text without percent-encoding, or the text itself if that is invalid. */
export function decoded(value: string): string {
  return orUndefined(() => decodeURIComponent(value)) ?? value
}

/** The digits of each script follow each other, from zero to nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
