import type { ErrorCode } from '../errors/codes'
import type { Access, Endpoint } from '../transport/endpoint'

/** A query; null stands for "signed out" or "none", which no endpoint answers. */
interface Reads<I, O> {
  (...args: never[]): { get(): Promise<O> }
  readonly endpoint?: Endpoint<Access, I, unknown, ErrorCode> | undefined
}

interface Writes<I, O> {
  (...args: never[]): Promise<unknown>
  readonly endpoint?: Endpoint<Access, I, O, ErrorCode> | undefined
}

/** The endpoint that the kit's definition calls. */
export function endpointOf<I, O>(query: Reads<I, O>): Endpoint<Access, I, Exclude<O, null>, ErrorCode>
export function endpointOf<I, O>(mutation: Writes<I, O>): Endpoint<Access, I, O, ErrorCode>
export function endpointOf(definition: {
  readonly endpoint?: Endpoint<Access, unknown, unknown, ErrorCode> | undefined
}): Endpoint<Access, unknown, unknown, ErrorCode> {
  if (definition.endpoint) return definition.endpoint
  throw new Error('this definition calls no endpoint of the platform')
}
