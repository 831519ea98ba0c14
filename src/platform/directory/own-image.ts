import type { Caller } from '../http/authenticate'
import { isBase64Image } from '../model/limits'
import { plain } from '../model/refusal'

/** Refuses a client's image that only servers may set. */
export function requireOwnImage({ access }: Pick<Caller, 'access'>, url: string | null | undefined): void {
  if (access === 'client' && url && !isBase64Image(url))
    throw plain(400, 'A client may only set an image as a base64 data URL.')
}
