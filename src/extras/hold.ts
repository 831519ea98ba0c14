import { onAbort } from '../core/signals'
import type { Core } from '../store/core'

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
      // Another one may have begun while this commit waited.
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
