import type { Clock } from '../core/clock'
import { readAccessToken } from '../transport/access-token'

/** How far this machine's clock and the platform's differ, and how long tokens live in spite of that. */
export class Skew {
  readonly #clock: Clock
  /** Local time minus the platform's, as far as known. */
  #millis = 0
  /** Whether a token has been seen to be issued; before that only impossible times tell. */
  isKnown = false
  /** The token that was read last: every call asks how long it lasts. */
  #read: { readonly text: string; readonly expiresAt: number | null } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A token's issue time tells; `askedAt` and whole seconds err on the side of expiring early. */
  learn(accessToken: string | null, askedAt: number): void {
    const issuedAt = accessToken === null ? null : readAccessToken(accessToken)?.issuedAtMillis
    if (typeof issuedAt !== 'number') return
    this.#millis = wholeSeconds(askedAt - issuedAt)
    this.isKnown = true
  }

  /** The time on the platform's clock, as far as known. */
  now(): number {
    return this.#clock.now() - this.#millis
  }

  /** Milliseconds until a token expires by the platform's clock. */
  remaining(accessToken: string): number {
    if (this.#read?.text !== accessToken) {
      const claims = readAccessToken(accessToken)
      if (!claims) return 0
      // Nobody holds a token of the future: this clock is behind by so much at least, or a token that somebody else has
      // got would seem to last for as long as it is.
      const { issuedAtMillis } = claims
      if (issuedAtMillis !== null)
        this.#millis = Math.min(this.#millis, wholeSeconds(this.#clock.now() - issuedAtMillis))
      this.#read = { text: accessToken, expiresAt: claims.expiresAtMillis }
    }
    const { expiresAt } = this.#read
    return expiresAt === null ? Infinity : expiresAt + this.#millis - this.#clock.now()
  }
}

function wholeSeconds(millis: number): number {
  return Math.floor(millis / 1000) * 1000
}
