/** The last version of @stackframe/stack that supports only the link of a sign-in mail. */
const lastWithLinksOnly = [2, 5, 37]

/** Whether the calling app supports only the link of a sign-in mail, by its header `x-stack-client-version`. */
export function knowsLinksOnly(headers: Headers): boolean {
  const sent = headers.get('x-stack-client-version') ?? ''
  const [, version] = /^\w+\s+@stackframe\/stack@([\d.]+)$/.exec(sent) ?? []
  return version !== undefined && !isAfter(version.split('.').map(Number), lastWithLinksOnly)
}

function isAfter(version: readonly number[], other: readonly number[]): boolean {
  const differing = other.findIndex((number, index) => (version[index] ?? 0) !== number)
  return differing >= 0 && (version[differing] ?? 0) > (other[differing] ?? 0)
}
