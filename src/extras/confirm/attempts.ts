import { jsonText } from '../../core/values'
import type { ProviderId } from '../../core/register'
import { misuse, type AuthErrorOf } from '../../errors/auth-error'
import type { PasskeyInput } from '../../sign-in/passkey/authenticator'
import { millisSince, momentOf, type Moment } from '../../core/clock'
import type { Owner } from '../../transport/access-token'
import { coreOf, slot, type Core, type Kit } from '../../store/kit-parts'

/**
 * How a signed-in user proves again to be there: with the password of the account, a passkey, the code of a mail
 * (`sendMagicLinkEmail`; `nonce` as in `signInWithMagicLink`), or a provider in a popup.
 */
export type Confirmation =
  | { readonly method: 'password'; readonly password: string }
  | ({ readonly method: 'passkey' } & PasskeyInput)
  | { readonly method: 'magic-link'; readonly code: string; readonly nonce?: string }
  | { readonly method: 'oauth-popup'; readonly provider: ProviderId }

/** The input of a call. */
export type ConfirmInput = Confirmation & { readonly totp?: string }

const texts = { password: 'password', 'magic-link': 'code', 'oauth-popup': 'provider', passkey: null } as const

/** Throws INVALID_INPUT. */
export function checkedConfirmation(asked: ConfirmInput): ConfirmInput {
  const { method, totp }: { readonly method: unknown; readonly totp?: unknown } = asked
  if (typeof method !== 'string' || !Object.hasOwn(texts, method))
    throw misuse('method', `is none of ${Object.keys(texts).join(', ')}`)
  const field = texts[asked.method]
  const text: unknown = field && (asked as unknown as Record<string, unknown>)[field]
  if (field && (typeof text !== 'string' || text === ''))
    throw misuse(field, `is missing: the method "${method}" needs it`)
  if (totp !== undefined && typeof totp !== 'string') throw misuse('totp', 'must be a text of six digits')
  return asked
}

/** Two inputs with the same name are of one first factor. */
function nameOf(asked: ConfirmInput): string {
  const field = texts[asked.method]
  return jsonText([asked.method, field && (asked as unknown as Record<string, unknown>)[field]])
}

/** The lifetime of an attempt code. */
const attemptMillis = 300_000

/** A first factor that waits for the second one. */
interface HeldAttempt {
  readonly of: string
  readonly owner: Owner
  readonly since: Moment
  readonly error: AuthErrorOf<'MULTI_FACTOR_AUTHENTICATION_REQUIRED'>
}

/**
 * The last first factor of a kit that waits for its second. That of a password is not kept, because the password can be sent
 * again.
 */
class Attempts {
  readonly #core: Core
  #last: HeldAttempt | undefined

  constructor(core: Core) {
    this.#core = core
  }

  /** A used code is asked for its second factor again; other methods start over without the digits. */
  has(asked: ConfirmInput): boolean {
    return this.find(asked) !== undefined
  }

  find(asked: ConfirmInput): HeldAttempt | undefined {
    const { clock, session } = this.#core
    const last = this.#last
    if (!last || last.owner !== session.identity.owner || millisSince(last.since, clock) >= attemptMillis) {
      this.#last = undefined
      return undefined
    }
    return last.of === nameOf(asked) && (asked.totp !== undefined || asked.method === 'magic-link') ? last : undefined
  }

  keep(asked: ConfirmInput, owner: Owner, error: HeldAttempt['error']): void {
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
