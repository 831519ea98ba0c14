import { orUndefined } from './or-undefined'

/**
 * The parsed URL, or null if the text is not one. `URL.canParse` is avoided: after many calls, Node 20's refuses URLs with
 * letters like "ü".
 */
export function parseUrl(text: string, base?: string): URL | null {
  return orUndefined(() => new URL(text, base)) ?? null
}
