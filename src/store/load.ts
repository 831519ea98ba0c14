import { abortError } from '../errors/abort'
import { toAuthError } from '../errors/auth-error'
import type { Source } from './definition'
import type { Core } from './kit'

/** Asks for a value once, for whoever is signed in. Whatever goes wrong is an AuthError. */
export async function load(
  { session, kit }: Core,
  { source, input }: { readonly source: Source; readonly input: object },
  signal: AbortSignal,
  onBackoff: () => void,
): Promise<unknown> {
  try {
    // Awaited in any case: loads begin inside commits, and a loader may be the app's own code.
    const owner = await (source.ownedBy === 'session' ? session.capture() : undefined)
    if (signal.aborted) throw abortError(signal)
    if (owner?.kind === 'signed-out') return source.signedOut
    // The input of a cell is what its own source has normalised.
    return await source.load(kit, input as never, { signal, owner, onBackoff })
  } catch (error) {
    throw toAuthError(error)
  }
}
