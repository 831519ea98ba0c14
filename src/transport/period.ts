import { maxWaitMillis } from '../core/clock'
import { invalidInput } from '../errors/auth-error'

/** How far two clocks may be apart, in milliseconds. Throws INVALID_INPUT for what no comparison with it would notice. */
export function checkedTolerance(field: string, millis: number): number {
  if (Number.isFinite(millis) && millis >= 0) return millis
  throw invalidInput(field, `must be a number of milliseconds, 0 or more; it is ${String(millis)}`)
}

/**
 * A limit or a period that the app has set, in milliseconds: as long as timers go, or Infinity for none. Throws INVALID_INPUT
 * for anything else, which a timer would take for "at once".
 */
export function checkedPeriod(field: string, millis: number): number {
  if (typeof millis === 'number' && millis > 0 && (millis <= maxWaitMillis || millis === Infinity)) return millis
  throw invalidInput(
    field,
    `must be above 0 and at most ${maxWaitMillis} milliseconds, or Infinity for none; it is ${String(millis)}`,
  )
}
