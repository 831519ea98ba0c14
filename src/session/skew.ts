import type { Clock } from '../core/clock'
import { readAccessToken } from './access-token'

/** How far this machine's clock and the platform's differ, and how long tokens live in spite of that. */
export class Skew {
  readonly #clock: Clock
  /** Local time minus the platform's, as far as known. */
  #millis = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A token's issue time tells; `askedAt` and whole seconds err on the side of expiring early. */
  learn(accessToken: string | null, askedAt: number): void {
    const issuedAt = accessToken === null ? null : readAccessToken(accessToken)?.issuedAtMillis
    if (typeof issuedAt === 'number') this.#millis = Math.floor((askedAt - issuedAt) / 1000) * 1000
  }

  /** The time on the platform's clock, as far as known. */
  now(): number {
    return this.#clock.now() - this.#millis
  }

  /** Milliseconds until a token expires by the platform's clock. */
  remaining(accessToken: string): number {
    const expiresAt = readAccessToken(accessToken)?.expiresAtMillis
    if (expiresAt === undefined) return 0
    return expiresAt === null ? Infinity : expiresAt + this.#millis - this.#clock.now()
  }
}
