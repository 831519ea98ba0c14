/** The text without the last ones of this character. An expression for them tries again at each one that is not the last. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length
  while (text[end - 1] === character) end--
  return text.slice(0, end)
}
