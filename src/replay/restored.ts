import { toBase64Url } from '../core/encoding'
import { isRecord } from '../core/values'

/** The value with an access token in the place of each name of one. */
export function restored<T>(json: T, texts: ReadonlyMap<string, string>): T {
  const of = (part: unknown): unknown => {
    if (typeof part === 'string') return texts.get(part) ?? part
    if (Array.isArray(part)) return part.map(of)
    return isRecord(part) ? Object.fromEntries(Object.entries(part).map(([key, each]) => [key, of(each)])) : part
  }
  // Only texts are replaced, by texts.
  return of(json) as T
}

/** An access token with these claims, which no platform has signed. */
export function tokenOf(claims: Readonly<Record<string, unknown>>): string {
  const part = (json: object) => toBase64Url(new TextEncoder().encode(JSON.stringify(json)))
  return `${part({ alg: 'none' })}.${part(claims)}.unsigned`
}
