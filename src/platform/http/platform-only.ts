import { endpoint } from '../../transport/endpoint'
import type { Endpoint } from '../../transport/endpoint'

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
