import type { Contents } from '../data/table'
import { inSlices, sliceLength } from '../data/slices'
import type { Tables } from './tables'
import type { ContactChannelRow, UserRow } from './users'

const any = '%'
const one = '_'

/**
 * Whether the text contains a match of the search pattern, where `%` stands for any characters and `_` for one.
 *
 *  Each part between two `%` is matched at its first place after the part before it, so the steps are at most the length
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

/** The literal texts that every match of the pattern contains. */
function literalsOf(pattern: string): readonly string[] {
  return pattern.split(/[%_]/)
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

/** Texts are indexed by their runs of three characters. */
const runLength = 3

/** With more candidates than this, sorting them is not worth it: the list itself then has enough matches at any place. */
const maxCandidates = 1_000

/** The users that a query matches. */
interface UserMatch {
  /** The only users that may match; undefined: every user may. */
  readonly among: readonly string[] | undefined
  readonly matches: (userId: string) => boolean
}

/**
 * Finds users of a project by id, or by a part of their name or of any address, without reading all users. In a part, `%`
 * stands for any characters and `_` for one.
 *
 *  It keeps an index of the texts' runs of three characters, for the rows of the last search. The next search updates it
 * with the rows changed since, including those changed by an undone unit of work or a restored snapshot. Old texts of a
 * user stay in the index and are skipped, until they outnumber the present ones.
 */
export class UserSearch {
  #users: Contents<UserRow> = null
  #channels: Contents<ContactChannelRow> = null
  /** In lower case. */
  readonly #textsOf = new Map<string, readonly string[]>()
  /** The users in the order in which their texts were indexed; a user whose texts have changed is added again. */
  readonly #ids: string[] = []
  /** By a run of characters, the places in `#ids` of the users whose texts have or had it. */
  readonly #having = new Map<string, number[]>()
  #preparing: Promise<void> | undefined

  /** Undefined if too many rows have changed to update the index at once: call `prepare` first. */
  find(tables: Tables, query: string): UserMatch | undefined {
    // A unit that has to wait for the contents waits here, not in the slices of `prepare`.
    const isChanged = !this.#isOf(tables)
    if (this.#preparing || (isChanged && !this.#isNear(tables))) return undefined
    const update = this.#update(tables)
    while (!update.next().done);
    const part = query.toLowerCase()
    const matches = (id: string) => {
      // A list that is read in slices matches its own rows, even if a later search has updated the index.
      const texts = this.#isOf(tables) ? this.#textsOf.get(id) : textsIn(tables, id)
      return texts !== undefined && (id === part || texts.some(text => containsLike(text, part)))
    }
    const candidates = this.#candidates(part)
    return { among: candidates && [...new Set([...candidates, part])].filter(matches), matches }
  }

  /** Updates the index in slices. */
  prepare(tables: Tables): Promise<void> {
    this.#preparing ??= inSlices(this.#update(tables)).finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  /** Users whose texts contain the three rarest runs of the part. */
  #candidates(part: string): readonly string[] | undefined {
    const runs = literalsOf(part).flatMap(text => [...runsOf(text)])
    const lists = runs.map(run => this.#having.get(run) ?? [])
    const [fewest, ...others] = lists.sort((left, right) => left.length - right.length).slice(0, 3)
    if (!fewest || fewest.length > maxCandidates) return undefined
    return fewest.flatMap(place => (others.every(list => has(list, place)) ? (this.#ids[place] ?? []) : []))
  }

  #isOf(tables: Tables): boolean {
    const [users, channels] = [tables.users.contents, tables.contactChannels.contents]
    return this.#users === users && this.#channels === channels && !this.#preparing
  }

  /** Whether the changed rows fit into one slice. */
  #isNear(tables: Tables): boolean {
    const changed = this.#changedIn(tables)
    for (let count = 0; count < sliceLength; count++) if (changed.next().done) return true
    return false
  }

  /** The users whose texts may have changed, some twice; undefined for a changed row without an effect on texts. */
  *#changedIn({ users, contactChannels }: Tables): Generator<string | undefined, void, undefined> {
    for (const [before, after] of users.changesSince(this.#users))
      yield before && before.displayName === after?.displayName ? undefined : (after ?? before)?.id
    for (const [before, after] of contactChannels.changesSince(this.#channels)) {
      const isChanged = before?.value !== after?.value || before?.userId !== after?.userId
      yield isChanged ? before?.userId : undefined
      yield isChanged ? after?.userId : undefined
    }
  }

  *#update(tables: Tables): Generator<void, void, undefined> {
    if (this.#ids.length > 2 * this.#textsOf.size + maxCandidates) this.#forget()
    const [users, channels] = [tables.users.contents, tables.contactChannels.contents]
    const changed = new Set<string>()
    for (const id of this.#changedIn(tables)) {
      if (id !== undefined) changed.add(id)
      yield
    }
    for (const id of changed) {
      this.#enter(id, tables)
      yield
    }
    this.#users = users
    this.#channels = channels
  }

  #enter(id: string, tables: Tables): void {
    const texts = textsIn(tables, id)
    if (!texts) {
      this.#textsOf.delete(id)
      return
    }
    this.#textsOf.set(id, texts)
    const place = this.#ids.push(id) - 1
    for (const text of texts) for (const run of runsOf(text)) this.#note(run, place)
  }

  #note(run: string, place: number): void {
    const places = this.#having.get(run)
    if (!places) this.#having.set(run, [place])
    else if (places.at(-1) !== place) places.push(place)
  }

  #forget(): void {
    this.#users = null
    this.#channels = null
    this.#ids.length = 0
    this.#having.clear()
    this.#textsOf.clear()
  }
}

/** Name and addresses of a user in lower case; undefined if the user does not exist. */
function textsIn({ users, contactChannels }: Tables, id: string): readonly string[] | undefined {
  const user = users.get(id)
  if (!user) return undefined
  // A missing name must not match "%".
  const names = user.displayName === null ? [] : [user.displayName]
  const addresses = contactChannels.by('userId', id).map(({ value }) => value)
  return [...names, ...addresses].map(text => text.toLowerCase())
}

/** Creates the search of each project at its first use. */
export function userSearches(): (projectId: string) => UserSearch {
  const searches = new Map<string, UserSearch>()
  return projectId => {
    const search = searches.get(projectId) ?? new UserSearch()
    searches.set(projectId, search)
    return search
  }
}

function* runsOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start + runLength <= text.length; start++) yield text.slice(start, start + runLength)
}

/** Whether a sorted list has the number. */
function has(list: readonly number[], wanted: number): boolean {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle] ?? 0) < wanted) from = middle + 1
    else to = middle
  }
  return list[from] === wanted
}
