import { misuse } from '../errors/auth-error'
import { absoluteUrl } from '../navigation/targets'
import { urlOf } from '../navigation/urls'
import type { HandlerUrls } from '../navigation/urls'
import { coreOf } from '../store/core'
import type { Kit } from '../store/kit'

/**
 * The URL of a mailed link: the given one, else the app's own page with the return address. INVALID_INPUT, before a request,
 * if neither is known (outside a browser).
 */
export function callbackUrl(
  kit: Kit<never>,
  page: keyof HandlerUrls,
  given: string | undefined,
  field = 'callbackUrl',
): string {
  const { navigation } = coreOf(kit)
  const url = given ?? absoluteUrl(navigation, urlOf(navigation, page))
  if (url === undefined) throw misuse(field, 'is required outside a browser: the URL of the mailed link')
  return url
}
