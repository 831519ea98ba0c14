import type { Clock } from '../core/clock'
import { readAccessToken } from '../transport/access-token'

/** The difference between this machine's clock and the platform's, and the remaining life of tokens with regard to it. */
export class ServerClock {
  readonly #clock: Clock
  /** Local time minus the platform's, 0 until known. */
  #millis = 0
  /** Whether a token's issue was observed; before that, only impossible times reveal a difference. */
  isKnown = false
  /** The token read last, cached because every call checks it. */
  #read: { readonly text: string; readonly expiresAt: number | null } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Learns from a token's issue time; `askedAt` and rounding to seconds make tokens expire early rather than late. */
  learn(accessToken: string | null, askedAt: number): void {
    const issuedAt = accessToken === null ? null : readAccessToken(accessToken)?.issuedAtMillis
    if (typeof issuedAt !== 'number') return
    this.#millis = wholeSeconds(askedAt - issuedAt)
    this.isKnown = true
  }

  /** The estimated time of the platform's clock. */
  now(): number {
    return this.#clock.now() - this.#millis
  }

  /** Milliseconds until a token expires by the platform's clock. */
  remaining(accessToken: string): number {
    if (this.#read?.text !== accessToken) {
      const claims = readAccessToken(accessToken)
      if (!claims) return 0
      // A token issued in the future shows that this clock is behind by at least that much; uncorrected, a token from
      // another kit would seem to last for longer than it does.
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
