export function toBase64Url(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = new Uint8Array(binary.length)
  // `Uint8Array.from` takes one code point at a time: ten times as long, at every request.
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** 43 characters of 256 secure random bits: a state, a PKCE verifier. */
export function randomBase64Url(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
}
