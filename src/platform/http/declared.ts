import { endpoint } from '../../transport/endpoint'
import type { Endpoint, Access } from '../../transport/endpoint'
import type { FailCode } from '../../errors/codes'

const addresses = new WeakSet<object>()

/**
 * Declares an address that the kit does not call; the hosted platform's dashboard and other clients do. Addresses that
 * the kit calls are declared once, by the kit's definition; a test checks that no address is declared twice.
 */
export const platformOnly: typeof endpoint = (route, declaration) => {
  const declared = endpoint(route, declaration)
  addresses.add(declared)
  return declared
}

/** Whether only other clients call the address, not the kit. */
export function isPlatformOnly(declared: Endpoint<never, never, never, never>): boolean {
  return addresses.has(declared)
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any endpoint, with any input and answer
type AnyEndpoint = Endpoint<any, any, any, any>

/** An endpoint, or the kit's definition that calls it. */
export type Declared = AnyEndpoint | { readonly endpoint?: AnyEndpoint | undefined }

/** Two access levels of one address. */
export type Pair = readonly [lower: Declared, higher: Declared]

/** The declaration that a handler is typed by: the higher one of a pair. */
type Higher<D> = D extends Pair ? D[1] : D

type EndpointIn<D> = D extends { readonly endpoint?: infer E } ? NonNullable<E> : D

/** The input of a request, in local terms. */
export type InputOf<D> =
  EndpointIn<Higher<D>> extends { readonly '~types'?: readonly [unknown, infer I, unknown, unknown] } ? I : never

/** The answer in local terms, without null: "signed out" and "none" are no answers of an endpoint. */
export type AnswerOf<D> =
  Higher<D> extends (...args: never[]) => { get(): Promise<infer O> }
    ? Exclude<O, null>
    : EndpointIn<Higher<D>> extends { readonly '~types'?: readonly [unknown, unknown, infer O, unknown] }
      ? O
      : never

/** The endpoint that the kit's definition calls. */
export function endpointOf(declared: Declared): Endpoint<Access, unknown, unknown, FailCode> {
  if ('route' in declared) return declared as Endpoint<Access, unknown, unknown, FailCode>
  if (declared.endpoint) return declared.endpoint as Endpoint<Access, unknown, unknown, FailCode>
  throw new Error('this definition calls no endpoint of the platform')
}
