import { DEV } from '../../core/dev'
import { isRecord } from '../../core/values'
import { storeName } from '../../core/names'
import { learn } from '../../session/identity'
import type { Owner } from '../../transport/access-token'
import type { CellAddress } from '../cells'
import { joined, storeIn, type Computed, type Read } from '../derive/computation'
import type { Core } from '../kit-parts'
import { decoded, entryName, type DecodedEntry } from './entry'
import { isKnown, pending, type Snapshot } from '../snapshot'
import type { Store } from '../store'
import type { Projection } from '../view'

/** The state of an app's stores in a server's render. */
export interface Hydration {
  /** The state of a store at that time; undefined if the payload does not have it. Does not check whose it is. */
  snapshot<T>(store: Store<T>): Snapshot<T> | undefined
}

/** How long a page waits to learn whose session it is, before it drops what a server has rendered. */
const maxWaitMillis = 2_000

/** The state of a store, the stores with cells on which it depends, and the one that is missing. */
interface SeenStore {
  readonly snapshot: Snapshot<unknown>
  readonly isOwned: boolean
  readonly missing?: Missing | undefined
}

export interface Missing {
  /** The name of its entry in a payload. */
  readonly entry: string
  /** For people: `user$`, `team$({"teamId":"team-1"})`. */
  readonly name: string
}

/** The parts of stores by which they are found in a payload: of those with a cell, and of derived ones. */
interface StoreOrigin {
  readonly place?: CellAddress
  readonly project?: Projection<unknown, unknown>
  readonly compute?: (read: Read) => unknown
  /** The result that the store has computed from the same values. */
  recall?(see: (store: Store<unknown>) => Snapshot<unknown>): Computed<unknown> | undefined
}

/** The values of one payload, for the stores of one kit. */
export class Rendered implements Hydration {
  readonly cells: Readonly<Record<string, unknown>>
  /** As in `Dehydrated`; undefined if malformed. */
  readonly identity: string | null | undefined
  readonly #isAnonymous: boolean | undefined
  readonly #core: Core
  readonly #known = new Map<string, DecodedEntry | undefined>()
  readonly #seen = new WeakMap<Store<unknown>, SeenStore>()
  /** The owner of the browser's session that it was found to belong to. */
  #owner: Owner | undefined
  #asking: Promise<void> | undefined
  #hasAsked = false

  constructor(core: Core, state: unknown) {
    const { identity, isAnonymous, cells }: Partial<Record<string, unknown>> = isRecord(state) ? state : {}
    this.#core = core
    this.identity = identity === null || typeof identity === 'string' ? identity : undefined
    this.#isAnonymous = typeof isAnonymous === 'boolean' ? isAnonymous : undefined
    this.cells = isRecord(cells) ? cells : {}
    if (this.identity === undefined || cells !== this.cells) hint('state')
  }

  snapshot<T>(store: Store<T>): Snapshot<T> | undefined {
    const { snapshot } = this.see(store)
    // The state of a Store<T>.
    return snapshot.status === 'pending' ? undefined : (snapshot as Snapshot<T>)
  }

  /** Whether it belongs to the session of this browser, as far as the last commit tells. */
  get standing(): 'same' | 'other' | 'unknown' {
    const { committedSession, session } = this.#core
    const { identity } = committedSession
    if (this.#owner) return identity.owner === this.#owner ? 'same' : 'other'
    const { kind, userId } = identity
    // A user, of whom only the refresh token is known.
    if (kind === 'unknown' || (kind === 'user' && userId === null && this.identity !== null)) return 'unknown'
    if (this.identity !== userId || (kind === 'user' && userId === null)) return 'other'
    this.#owner = identity.owner
    // The access token may be older than the page, or one that cannot say it.
    if (session.identity.owner === identity.owner)
      session.identity = learn(session.identity, { isAnonymous: this.#isAnonymous })
    return 'same'
  }

  /** Reads the tokens. A promise while it is not known whose session this is, for 2 s at most. */
  look(): Promise<void> | undefined {
    const { committedSession, session, clock } = this.#core
    committedSession.look()
    if (this.#hasAsked || (this.standing !== 'unknown' && !committedSession.held)) return undefined
    return (this.#asking ??= new Promise<void>(resolve => {
      const done = () => {
        cancel()
        this.#hasAsked = true
        resolve()
      }
      const cancel = clock.setTimeout(done, maxWaitMillis, { keepAlive: false })
      session
        .current()
        .then(() => committedSession.held)
        .then(done, done)
    }))
  }

  see(store: Store<unknown>): SeenStore {
    const known = this.#seen.get(store)
    if (known) return known
    const seen = this.#compute(store)
    this.#seen.set(store, seen)
    return seen
  }

  /** Its state of a cell, checked once: a payload is text from outside. */
  known(place: CellAddress): DecodedEntry | undefined {
    const name = entryName(place)
    if (!this.#known.has(name) && Object.hasOwn(this.cells, name)) {
      const known = decoded(this.cells[name], place.source, this.#isAnonymous)
      if (!known) hint(storeName(place.source))
      this.#known.set(name, known)
    }
    return this.#known.get(name)
  }

  #compute(store: Store<unknown>): SeenStore {
    const own = storeIn(this.#core, store)
    if (!own) return nothing
    const origin = own as StoreOrigin
    const { place, project, compute } = origin
    if (compute) return this.#derive(origin, compute)
    if (!place) return nothing
    const isOwned = place.source.ownedBy === 'session'
    const known = this.known(place)
    // Without an identity of the page, the value could be of any user.
    if (!known || (isOwned && !this.identity && this.identity !== null && known.snapshot.status === 'ready'))
      return { snapshot: pending, isOwned, missing: missingOf(place, project) }
    return { snapshot: projected(known.snapshot, project), isOwned }
  }

  #derive(origin: StoreOrigin, compute: (read: Read) => unknown): SeenStore {
    let members: SeenStore[] = []
    const see = (store: Store<unknown>) => {
      const seen = this.see(store)
      members.push(seen)
      return seen.snapshot
    }
    const read = <V>(store: Store<V>): V => {
      const snapshot = see(store)
      // The state of a Store<V>.
      if (isKnown(snapshot)) return snapshot.value as V
      throw new Error('it is not known')
    }
    let computed = origin.recall?.(see)
    if (!computed) {
      members = []
      try {
        computed = { value: compute(read) }
      } catch (error) {
        computed = { error }
      }
    }
    return {
      // No time of this machine, which would differ between server and browser.
      snapshot: joined(
        members.map(member => member.snapshot),
        computed,
        pending,
        0,
      ),
      isOwned: members.some(member => member.isOwned),
      missing: members.find(member => member.missing !== undefined)?.missing,
    }
  }
}

function missingOf(place: CellAddress, project: Projection<unknown, unknown>): Missing {
  const name = storeName(place.source, project)
  return { entry: entryName(place), name: place.key === '{}' ? name : `${name}(${place.key})` }
}

const hint: (what: string) => void = DEV
  ? what => {
      // eslint-disable-next-line no-console -- for development, where the page is made
      console.warn(`rxauth: "${what}" of what dehydrate() wrote is malformed or of another version; it is ignored`)
    }
  : () => undefined

const nothing: SeenStore = { snapshot: pending, isOwned: false }

function projected(snapshot: Snapshot<unknown>, project: Projection<unknown, unknown>): Snapshot<unknown> {
  if (!project || snapshot.status !== 'ready') return snapshot
  try {
    return { ...snapshot, value: project(snapshot.value) }
  } catch {
    // As if it were not there: the live store reports it.
    return pending
  }
}

/** Values of stores, as `dehydrate` writes them for the page that a server renders: JSON with the user to whom they belong. */
export interface Dehydrated {
  /** The id of the user. Null: signed out. Empty: not known, since the platform could not be reached. */
  readonly identity: string | null
  /** Whether the user is anonymous; absent: the server does not know. */
  readonly isAnonymous?: boolean
  /** By the definition and the arguments of each store. */
  readonly cells: Readonly<Record<string, unknown>>
}
