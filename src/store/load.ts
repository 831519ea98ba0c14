import { abortError } from '../errors/abort'
import { toAuthError } from '../errors/auth-error'
import type { Source } from './source'
import type { KitParts } from './kit'

/** Loads a value once, for the present identity. Every failure is an AuthError. */
export async function load(
  { session, kit }: KitParts,
  { source, input }: { readonly source: Source; readonly input: object },
  signal: AbortSignal,
  onBackoff: () => void,
): Promise<unknown> {
  try {
    // Always awaited: loads start inside commits, and the loader may be code of the app.
    const owner = await (source.ownedBy === 'session' ? session.capture() : undefined)
    if (signal.aborted) throw abortError(signal)
    if (owner?.kind === 'signed-out') return source.signedOut
    // The cell's input, normalised by its own source.
    return await source.load(kit, input as never, { signal, owner, onBackoff })
  } catch (error) {
    throw toAuthError(error)
  }
}
