import { millisSince, momentOf } from '../../core/clock'
import type { Moment } from '../../core/clock'
import type { AuthErrorOf } from '../../errors/auth-error'
import type { Identity } from '../../session/identity'
import { coreOf, slot } from '../../store/core'
import type { Core } from '../../store/core'
import type { Kit } from '../../store/kit'
import { nameOf } from './confirmation-input'
import type { Asked } from './confirmation-input'

/** The lifetime of an attempt code. */
const attemptMillis = 300_000

/** A first factor that waits for the second one. */
interface Attempt {
  readonly of: string
  readonly owner: Identity
  readonly since: Moment
  readonly error: AuthErrorOf<'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>
}

/** The last one of a kit. That of a password is not kept, nor is the password: it can be sent again. */
class Attempts {
  readonly #core: Core
  #last: Attempt | undefined

  constructor(core: Core) {
    this.#core = core
  }

  /** A used code is asked for its second factor again; other methods start over without the digits. */
  has(asked: Asked): boolean {
    return this.find(asked) !== undefined
  }

  find(asked: Asked): Attempt | undefined {
    const { clock, session } = this.#core
    const last = this.#last
    if (!last || last.owner !== session.identity || millisSince(last.since, clock) >= attemptMillis) {
      this.#last = undefined
      return undefined
    }
    return last.of === nameOf(asked) && (asked.totp !== undefined || asked.method === 'magic-link') ? last : undefined
  }

  keep(asked: Asked, owner: Identity, error: Attempt['error']): void {
    if (asked.method === 'password') return
    this.#last = { of: nameOf(asked), owner, since: momentOf(this.#core.clock), error }
  }

  forget(): void {
    this.#last = undefined
  }
}

const attemptsKey = {}

export function attemptsOf(kit: Kit): Attempts {
  return slot(kit, attemptsKey, () => new Attempts(coreOf(kit)))
}
