import type { Tables } from './tables'
import type { UserRow } from './users'

const any = '%'
const one = '_'

/**
 * Whether the text contains a match of the search pattern, where `%` stands for any characters and `_` for one.
 *
 * Each part between two `%` is matched at its first place after the part before it, so the steps are at most the length
 * of the text times that of the longest part. A regular expression would try every combination of places.
 */
export function containsLike(text: string, pattern: string): boolean {
  let from = 0
  for (const part of pattern.split(any)) {
    from = endOfPart(text, part, from)
    if (from < 0) return false
  }
  return true
}

function endOfPart(text: string, part: string, from: number): number {
  if (!part.includes(one)) {
    const found = text.indexOf(part, from)
    return found < 0 ? -1 : found + part.length
  }
  for (let start = from; start < text.length; start++) {
    const end = endOfMatch(text, part, start)
    if (end >= 0) return end
  }
  return -1
}

function endOfMatch(text: string, part: string, start: number): number {
  let at = start
  for (const character of part) {
    if (at >= text.length) return -1
    if (character === one) at += isPair(text, at) ? 2 : 1
    else if (text.startsWith(character, at)) at += character.length
    else return -1
  }
  return at
}

/** Whether a character takes two UTF-16 units, such as an emoji; a search counts it as one. */
function isPair(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000
}

/** Whether the query is the user's id, or a part of the name or of any address. */
export function searchFor(query: string, { contactChannels }: Tables): (user: UserRow) => boolean {
  const part = query.toLowerCase()
  return ({ id, displayName }) => {
    // A missing name must not match "%".
    const names = displayName === null ? [] : [displayName]
    const addresses = contactChannels.by('userId', id).map(({ value }) => value)
    return id === part || [...names, ...addresses].some(text => containsLike(text.toLowerCase(), part))
  }
}
