import type { KeyedStorage, WebStorage } from '../core/web-types'
import { misuse } from '../errors/auth-error'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import { followIdentity } from './follow-identity'
import { sharedStorage } from '../core/host'
import { personHash, personOf, type Person } from './person'

/**
 * A storage for what one person may read: drafts, settings, the cache of a library. Its keys have a prefix of the person, a
 * hash of the user's id; all keys of others are removed before the next person is shown, and when the page starts. A visitor
 * who is signed out counts as a person too: what was kept is removed at the sign-in.
 *
 * While it is not known whose session it is, nothing is read and nothing is kept: wait for `whenKnown(app)`. On a server it is
 * empty. `storage`: default `localStorage`; of a tab, `sessionStorage`. What it throws, for example because it is full, the
 * caller gets; it never stops a sign-out. One browser has one person: two tabs with token stores of their own and different
 * users remove each other's keys. Throws DISPOSED after the disposal of the app, and INVALID_INPUT for what is no storage.
 *
 * @example
 * const drafts = ownedStorage(app)
 * drafts.setItem('note', 'buy tea')
 * drafts.getItem('note')
 */
export function ownedStorage(app: Kit, storage?: KeyedStorage): WebStorage {
  const core = coreOf(app)
  core.assertAlive()
  assertStorage(storage)
  const used = storage ?? sharedStorage(core.host)
  const known = slot(app, ownedStorage, () => new Map<KeyedStorage | undefined, WebStorage>())
  // One object per storage follows the user: components may call this in each render.
  const owned = known.get(used) ?? storageOf(core, used)
  known.set(used, owned)
  return owned
}

function assertStorage(storage: unknown): void {
  // In JavaScript anything may be given.
  if (storage === undefined || storage === null) return
  const { getItem, setItem, removeItem, key } = storage as Partial<Record<keyof KeyedStorage, unknown>>
  if (![getItem, setItem, removeItem, key].every(method => typeof method === 'function'))
    throw misuse('storage', 'is no Storage: it has getItem, setItem, removeItem, key and length')
}

function storageOf(core: Core, storage: KeyedStorage | undefined): WebStorage {
  const all = `rxauth-of-${core.transport.config.projectId}:`
  const { committedSession, session } = core
  const prefixOf = (person: Person) => (person === undefined ? undefined : `${all}${personHash(core, person)}:`)
  const wipe = () => {
    if (storage) removeAll(storage, all, prefixOf(personOf(session.identity)))
  }
  let isWiped = false
  /** Undefined: not known, or about to be another one. */
  const prefix = () => {
    core.assertAlive()
    const { identity } = session
    const { identity: shown } = committedSession
    const person = personOf(identity)
    const own = prefixOf(identity.owner === shown.owner || person === personOf(shown) ? person : undefined)
    // Once in a page, since the mark may say that nothing need be cleared: a tab may have written before it was closed.
    if (own !== undefined && !isWiped) {
      isWiped = true
      wipeQuietly(wipe)
    }
    return own
  }
  if (storage) {
    followIdentity(core.kit, { clear: wipe })
    prefix()
  }
  return {
    getItem(key) {
      const own = prefix()
      return own === undefined ? null : (storage?.getItem(own + key) ?? null)
    },
    setItem(key, value) {
      const own = prefix()
      if (own !== undefined) storage?.setItem(own + key, value)
    },
    removeItem(key) {
      const own = prefix()
      if (own !== undefined) storage?.removeItem(own + key)
    },
  }
}

/** Empties the storage. After a failure the next change of the person tries again. */
function wipeQuietly(wipe: () => void): void {
  try {
    wipe()
  } catch {
    // A blocked storage holds nothing that could be read.
  }
}

/** Removes the keys that begin with `all`, except those that begin with `own`; then throws the first error. */
function removeAll(storage: KeyedStorage, all: string, own: string | undefined): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  const errors: unknown[] = []
  for (const key of keys)
    if (key?.startsWith(all) && (own === undefined || !key.startsWith(own)))
      try {
        storage.removeItem(key)
      } catch (error) {
        errors.push(error)
      }
  if (errors.length > 0) throw errors[0]
}
