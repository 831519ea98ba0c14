import { orUndefined } from './values'

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

function decoded(value: string): string {
  return orUndefined(() => decodeURIComponent(value)) ?? value
}

/** The digits of each script follow each other, from zero to nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}
