/** Milliseconds, or a text: `8h`, `5m`, `30s`, `250ms`, `1d`; with a sign for a difference, `-10m`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const unitMillis = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The milliseconds of a duration, which `call` was given. */
export function millisOf(call: string, duration: Duration): number {
  const [, number, unit] = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? []
  const millis =
    typeof duration === 'number' ? duration : Number(number) * unitMillis[(unit ?? 'ms') as keyof typeof unitMillis]
  if (!Number.isFinite(millis)) {
    const given = typeof duration === 'number' ? duration : JSON.stringify(duration)
    throw new RangeError(`clock.${call} takes milliseconds or a text such as 8h, 5m or 30s, not ${given}`)
  }
  // Later and earlier years do not fit into the dates of tokens and cookies.
  if (Math.abs(millis) > 36_500 * unitMillis.d)
    throw new RangeError(`clock.${call} takes a hundred years (36500d) at most, not ${duration}`)
  return Math.round(millis)
}

/** The milliseconds of a duration, for a call that moves the time forward. */
export function forwardMillis(call: 'sleep' | 'advance', duration: Duration): number {
  const millis = millisOf(call, duration)
  if (millis < 0)
    throw new RangeError(
      `clock.${call} moves the time forward, not by ${duration}; clock.skewPages sets the clocks of pages back`,
    )
  if (call === 'advance' && millis > 7 * unitMillis.d)
    throw new RangeError(
      `clock.advance runs every timer of the time, of 7d at most, not of ${duration}; clock.sleep runs each timer once`,
    )
  return millis
}
