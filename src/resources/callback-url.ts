import { invalidInput } from '../errors/auth-error'
import { absoluteUrl } from '../navigation/targets'
import type { HandlerUrls } from '../navigation/urls'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'

/**
 * The address that a mailed link leads to: the given one, else the app's own page, which takes along where the person wants
 * to come back to. INVALID_INPUT, before a request, where neither is known: outside a browser.
 */
export function callbackUrl(
  kit: Kit<never>,
  page: keyof HandlerUrls,
  given: string | undefined,
  field = 'callbackUrl',
): string {
  const { navigation } = coreOf(kit)
  const url = given ?? absoluteUrl(navigation, navigation.urls[page])
  if (url === undefined)
    throw invalidInput(field, 'is needed outside a browser: the address that the mailed link leads to')
  return url
}
