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
