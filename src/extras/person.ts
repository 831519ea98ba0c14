import { isBrowser } from '../core/host'
import { textHash } from './text-hash'
import type { KeyedStorage } from '../core/web-types'
import type { Identity } from '../session/identity'
import type { Core } from '../store/core'

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

/**
 * The mark of the project, and of the named caches, in the browser's storage, and in that of the tab: a tab that was closed, and is opened again, has
 * kept its own storage, and has cleared nothing meanwhile.
 */
export function personMark(core: Core, name: string): PersonMark {
  const key = `rxauth-person-${core.transport.config.projectId}${name && `-${name}`}`
  const storage = sharedStorage(core)
  const { sessionStorage: ofTab } = core.host
  return {
    read() {
      try {
        const hash = storage?.getItem(key) ?? null
        // A new tab has none.
        return (ofTab?.getItem(key) ?? hash) === hash ? hash : null
      } catch {
        return null
      }
    },
    write(hash) {
      try {
        ofTab?.setItem(key, hash ?? '')
      } catch {
        // As below.
      }
      try {
        if (hash === null) storage?.removeItem(key)
        else storage?.setItem(key, hash)
      } catch {
        // Full or forbidden: the next page clears once more.
      }
    },
  }
}
