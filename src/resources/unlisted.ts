import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import type { Attempted } from '../store/mutation'
import { isRefusedWith } from '../store/refusals'
import { call } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'

type ListOf<I> = Endpoint<Access, I, readonly { readonly id: string }[], never>

/**
 * Tells whether a refused deletion leaves nothing to do. What the platform does not find it refuses with a bare status (a
 * channel with 400, a session with 404, an invitation with 500) that it has for other refusals too: the list, asked for with
 * the rest of the input, tells them apart. `field` is where the input has the id.
 */
export function isUnlisted<F extends string, I extends object>(list: ListOf<I>, field: F) {
  return async (
    error: unknown,
    { [field]: id, ...rest }: I & { readonly [_ in F]: string },
    kit: Kit,
    { owner, signal }: Attempted,
  ): Promise<boolean> => {
    if (!isRefusedWith(error, [400, 404, 500])) return false
    try {
      // What is left of the input is what the list takes.
      const listed = await call(coreOf(kit).transport, list, rest as unknown as I, { owner, signal })
      return listed.ok && !listed.value.some(row => row.id === id)
    } catch {
      return false
    }
  }
}
