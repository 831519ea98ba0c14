/**
 * Fetch's `Request`, Node's and Express's requests, and whatever else has headers in one of the two forms.
 *
 * @example
 * const tokenOf = (request: RequestLike) => requestTokens(request)
 * tokenOf({ headers: { cookie: 'stack-access=…' } })
 */
export interface RequestLike {
  readonly headers:
    { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Tells of https where it is the whole address, as a fetch `Request` has it. */
  readonly url?: string | undefined
  /** Node's: an encrypted one tells of https. */
  readonly socket?: object | null | undefined
}

/** The header's text; empty if there is none. Node joins repeated cookie headers itself, others may give a list. */
export function header({ headers }: RequestLike, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Listed)[name]
  return (typeof value === 'string' ? value : value?.join('; ')) ?? ''
}

type Listed = Readonly<Record<string, string | readonly string[] | undefined>>

/** The token in `Authorization: Bearer`; null where there is none. */
export function bearerIn(request: RequestLike): string | null {
  return /^Bearer +(\S+) *$/i.exec(header(request, 'authorization'))?.[1] ?? null
}
