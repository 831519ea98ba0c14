import type { Contents } from './data/table'
import { containsLike, literalsOf } from './like-pattern'
import { inSlices, sliceLength } from './slices'
import type { ContactChannelRow, Tables, UserRow } from './tables'

/** Texts are found by their runs of three characters. */
const runLength = 3

/** More candidates than this are not worth being sorted: the list has enough of them, wherever it is read. */
const maxCandidates = 1_000

/** Who a query of the list of users means. */
export interface Found {
  /** The only users that may match; undefined: anybody may. */
  readonly among: readonly string[] | undefined
  readonly matches: (userId: string) => boolean
}

/**
 * Finds users of a project by their id, or by part of the name or of any address, without looking at all of them. In a part,
 * `%` stands for any characters and `_` for one.
 *
 * It remembers which users have a run of three characters, of the rows that it was last asked about; the next time it looks
 * at what has changed since. Rows of a unit of work that is taken back, or of a snapshot that is restored, are such a change
 * as well. What a user was called before stays in the lists, to be passed over, until there is more of it than of what counts.
 */
export class UserSearch {
  #users: Contents<UserRow> = null
  #channels: Contents<ContactChannelRow> = null
  /** In lower case. */
  readonly #textsOf = new Map<string, readonly string[]>()
  /** Whose texts were entered, in that order: again when they have changed. */
  readonly #ids: string[] = []
  /** The places of those ids, by a run of characters that the texts had. */
  readonly #having = new Map<string, number[]>()
  #preparing: Promise<void> | undefined

  /** Undefined: too much has changed to be looked at at once; `prepare` first. */
  find(tables: Tables, query: string): Found | undefined {
    if (this.#preparing || !this.#isNear(tables)) return undefined
    const update = this.#update(tables)
    while (!update.next().done);
    const part = query.toLowerCase()
    const matches = (id: string) => {
      // A list that is read in slices is of its own rows, whatever a later search has looked at.
      const texts = this.#isOf(tables) ? this.#textsOf.get(id) : textsIn(tables, id)
      return texts !== undefined && (id === part || texts.some(text => containsLike(text, part)))
    }
    const candidates = this.#candidates(part)
    return { among: candidates && [...new Set([...candidates, part])].filter(matches), matches }
  }

  /** Looks at what has changed, in slices. */
  prepare(tables: Tables): Promise<void> {
    this.#preparing ??= inSlices(this.#update(tables)).finally(() => {
      this.#preparing = undefined
    })
    return this.#preparing
  }

  /** Users with the three rarest runs of the part. */
  #candidates(part: string): readonly string[] | undefined {
    const runs = literalsOf(part).flatMap(text => [...runsOf(text)])
    const lists = runs.map(run => this.#having.get(run) ?? [])
    const [fewest, ...others] = lists.sort((left, right) => left.length - right.length).slice(0, 3)
    if (!fewest || fewest.length > maxCandidates) return undefined
    return fewest.flatMap(place => (others.every(list => has(list, place)) ? (this.#ids[place] ?? []) : []))
  }

  #isOf({ users, contactChannels }: Tables): boolean {
    return this.#users === users.contents && this.#channels === contactChannels.contents && !this.#preparing
  }

  /** Whether so few rows have changed that they make no slice. */
  #isNear(tables: Tables): boolean {
    const changed = this.#changedIn(tables)
    for (let count = 0; count < sliceLength; count++) if (changed.next().done) return true
    return false
  }

  /** The users whose texts may be others, some twice; undefined for each row that changes none. */
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

/** Name and addresses of a user in lower case; undefined: there is no such user. */
function textsIn({ users, contactChannels }: Tables, id: string): readonly string[] | undefined {
  const user = users.get(id)
  if (!user) return undefined
  // A missing name is no text, which "%" would match.
  const names = user.displayName === null ? [] : [user.displayName]
  const addresses = contactChannels.by('userId', id).map(({ value }) => value)
  return [...names, ...addresses].map(text => text.toLowerCase())
}

/** One for each project, made when it is first asked for. */
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
