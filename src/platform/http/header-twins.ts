const name = 'x-stack-'
const twin = 'x-hexclave-'

/** The second name of a header on the newer release; null if it has none. */
export function twinOf(header: string): string | null {
  return header.startsWith(name) ? twin + header.slice(name.length) : null
}

/** These names, each followed by its twin. */
export function withTwins(headers: readonly string[]): string[] {
  return headers.flatMap(header => [header, twinOf(header) ?? []].flat())
}

/** The request with every header under the name that the platform reads. If both names are sent, the newer one wins. */
export function withoutTwins(request: Request): Request {
  const sent = [...request.headers].filter(([header]) => header.startsWith(twin))
  if (sent.length === 0) return request
  const headers = new Headers(request.headers)
  for (const [header, value] of sent) headers.set(name + header.slice(twin.length), value)
  return new Request(request, { headers })
}
