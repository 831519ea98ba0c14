/** The text with U+FFFD in place of each lone half of a character, at which `encodeURIComponent` throws. */
export function wellFormed(text: string): string {
  // With this flag, halves of a pair do not match.
  return text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD')
}
