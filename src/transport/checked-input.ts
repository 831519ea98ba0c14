import * as v from 'valibot'
import type { FailCode } from '../errors/codes'
import type { Access, Endpoint } from './endpoint'

/**
 * The endpoint with a check of fields that depend on each other: unless `isFine`, the call rejects with an INVALID_INPUT
 * that names `field`. `message` completes the sentence "`field` …".
 */
export function checkedInput<A extends Access, I extends object, O, F extends FailCode>(
  declared: Endpoint<A, I, O, F>,
  field: keyof I & string,
  isFine: (input: I) => boolean,
  message: string,
): Endpoint<A, I, O, F> {
  // I is derived from the entries of this schema; a path in a type parameter is beyond the library's types.
  const input = declared.input as unknown as v.GenericSchema<Record<string, unknown>>
  const check = v.check<Record<string, unknown>, string>(fields => isFine(fields as I), message)
  return { ...declared, input: v.pipe(input, v.forward(check, [field])) }
}
