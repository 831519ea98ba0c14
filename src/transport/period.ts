import { maxWaitMillis } from '../core/clock'
import { DEV } from '../core/dev'
import { invalidInput } from '../errors/auth-error'

/** The tolerance between two clocks in milliseconds. Throws INVALID_INPUT for values that would disable the comparison. */
export function checkedTolerance(field: string, millis: number): number {
  if (Number.isFinite(millis) && millis >= 0) return millis
  throw invalidInput(field, DEV ? `must be a number of milliseconds, 0 or more; it is ${String(millis)}` : '')
}

/**
 * A limit or period of the app in milliseconds, up to the maximum of timers, or Infinity for none. Throws INVALID_INPUT for
 * other values, which a timer would run at once.
 */
export function checkedPeriod(field: string, millis: number): number {
  if (typeof millis === 'number' && millis > 0 && (millis <= maxWaitMillis || millis === Infinity)) return millis
  throw invalidInput(
    field,
    DEV
      ? `must be above 0 and at most ${maxWaitMillis} milliseconds, or Infinity for none; it is ${String(millis)}`
      : '',
  )
}
