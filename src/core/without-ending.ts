/** The text without this character at its end. A regular expression would be quadratic. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end--
  return text.slice(0, end)
}
