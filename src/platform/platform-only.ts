import { endpoint } from '../transport/endpoint'
import type { Endpoint } from '../transport/endpoint'

const addresses = new WeakSet<object>()

/**
 * Declares an address that the kit does not call: other clients and the dashboard of the hosted platform do. What the kit
 * calls is declared with the kit's definition, once, and a test holds the two apart.
 */
export const platformOnly: typeof endpoint = (route, declaration) => {
  const declared = endpoint(route, declaration)
  addresses.add(declared)
  return declared
}

/** Whether the address is one that the kit does not call. */
export function isPlatformOnly(declared: Endpoint<never, never, never, never>): boolean {
  return addresses.has(declared)
}
