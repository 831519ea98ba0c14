import { onAbort } from '../core/signals'
import type { Core } from '../store/kit-parts'
import { textHash } from '../core/encoding'
import { sharedStorage } from '../core/host'
import type { Identity } from '../session/identity'
import type { Tokens } from '../transport/access-token'

/** Shows nothing of the session while promises are pending, each for a limited time. */
export class Hold {
  readonly #core: Core
  #pending = 0
  #release: () => void = ignore

  constructor(core: Core) {
    this.#core = core
  }

  /** Part of a commit. */
  until(promise: PromiseLike<unknown>, limitMillis: number): void {
    const { clock, committedSession, session } = this.#core
    if (limitMillis === 0 || session.ended.aborted) return
    this.#pending++
    if (!committedSession.held) {
      committedSession.held = new Promise(resolve => (this.#release = resolve))
      this.#touch()
    }
    let isOver = false
    const done = () => {
      if (isOver) return
      isOver = true
      forget()
      cancel()
      this.#end()
    }
    const cancel = clock.setTimeout(done, limitMillis)
    const forget = onAbort(session.ended, done)
    promise.then(done, done)
  }

  #end(): void {
    if (--this.#pending > 0) return
    const { commits, committedSession, session } = this.#core
    const release = () => {
      // Another wait may have begun while this commit waited.
      if (this.#pending > 0) return
      committedSession.held = undefined
      this.#release()
      this.#touch()
    }
    if (session.ended.aborted) release()
    else commits.run('cleared', release)
  }

  #touch(): void {
    const { cells, commits, committedSession } = this.#core
    commits.touch(committedSession)
    for (const cell of cells) if (cell.isOwned) commits.touch(cell)
  }
}

function ignore(): void {}

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

/** Names a session in a storage without its id and its token. */
export interface SessionHashes {
  /** The hash of the session's id; empty if no token has named it yet. */
  readonly session: string
  /** The hash of the refresh token. */
  readonly token: string
}

export function hashesOf(of: { readonly identity: Identity; readonly tokens: Tokens | null }): SessionHashes {
  return { session: hashOf(of.identity.sessionId), token: hashOf(of.tokens?.refreshToken) }
}

function hashOf(text: string | null | undefined): string {
  return text ? textHash(text) : ''
}

export function isSameSession(one: Partial<SessionHashes>, other: SessionHashes | undefined): boolean {
  const { session = '', token = '' } = other ?? {}
  return (token !== '' && one.token === token) || (session !== '' && one.session === session)
}

/** Tells the next page of this browser whose data caches may have kept. */
export interface PersonMark {
  /** The hash of the person; null if there is none, or if it cannot be read. */
  read(): string | null
  /** Null: removes it. */
  write(hash: string | null): void
}

/**
 * The mark of the project and of the named caches. The mark is kept in `localStorage` and in `sessionStorage`. A tab that is
 * opened again has its old `sessionStorage`, and has cleared nothing since.
 */
export function personMark(core: Core, name: string): PersonMark {
  const key = `rxauth-person-${core.transport.config.projectId}${name && `-${name}`}`
  const storage = sharedStorage(core.host)
  const { sessionStorage: ofTab } = core.host
  return {
    read() {
      try {
        const hash = storage?.getItem(key) ?? null
        // A new tab has no mark.
        return (ofTab?.getItem(key) ?? hash) === hash ? hash : null
      } catch {
        return null
      }
    },
    write(hash) {
      try {
        ofTab?.setItem(key, hash ?? '')
      } catch {
        // The storage of the tab is full or blocked.
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
