import { isBrowser } from '../core/host'
import { textHash } from '../core/text-hash'
import type { KeyedStorage } from '../core/web-types'
import type { Identity } from '../session/identity'
import type { Core } from './core'

/** The id of a user; null: signed out. Undefined: not known, since the token store has not been read or has no access token. */
export type Person = string | null | undefined

/** Whose session it is. */
export function personOf({ kind, userId }: Identity): Person {
  if (kind === 'unknown') return undefined
  return kind === 'signed-out' ? null : (userId ?? undefined)
}

/** Names a person in keys of storage without the id; differs from project to project. */
export function personHash({ transport }: Core, person: string | null): string {
  return textHash(`${transport.config.projectId} ${person ?? ''}`)
}

/** The storage that all pages of this browser share; undefined if there is none, or if the browser blocks it. */
export function sharedStorage({ host }: Core): KeyedStorage | undefined {
  if (host.localStorage || !isBrowser()) return host.localStorage
  try {
    return window.localStorage
  } catch {
    // Reading the property throws then.
    return undefined
  }
}

/** Tells the next page of this browser whose data caches may have kept. */
export interface PersonMark {
  /** The hash of the person; null if there is none, or if it cannot be read. */
  read(): string | null
  /** Null: removes it. */
  write(hash: string | null): void
}

/** The mark of the project in the browser's storage. */
export function personMark(core: Core): PersonMark {
  const key = `rxauth-person-${core.transport.config.projectId}`
  const storage = sharedStorage(core)
  return {
    read() {
      try {
        return storage?.getItem(key) ?? null
      } catch {
        return null
      }
    },
    write(hash) {
      try {
        if (hash === null) storage?.removeItem(key)
        else storage?.setItem(key, hash)
      } catch {
        // Full or forbidden: the next page clears once more.
      }
    },
  }
}
