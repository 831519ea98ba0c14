/*
 * Signatures of webhooks: HMAC-SHA256 over `id.timestamp.body`, as in Svix and the Standard Webhooks specification.
 * WebCrypto also runs on servers without Node.
 */

import { withoutBlankEnds } from './urls'

/** The signed content. */
export interface SignedContent {
  readonly id: string
  /** Seconds since the Unix epoch, as in the header. */
  readonly timestamp: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** Prefix of the supported signatures; others in the header are ignored. */
const version = 'v1,'

/** A key to sign or verify with; null if `secret` is not `whsec_` and base64. */
export async function webhookKey(secret: string): Promise<CryptoKey | null> {
  const bytes = fromBase64(withoutBlankEnds(secret).replace(/^whsec_/, ''))
  if (!bytes || bytes.length === 0) return null
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** The signature as its header has it. */
export async function webhookSignature(key: CryptoKey, content: SignedContent): Promise<string> {
  return version + btoa(String.fromCharCode(...(await hmac(key, content))))
}

/** Whether one of the space-separated signatures of a header is valid. The comparison takes the same time for each of them. */
export async function hasWebhookSignature(key: CryptoKey, content: SignedContent, header: string): Promise<boolean> {
  // Once: a stranger's header may have thousands.
  const expected = await hmac(key, content)
  // Servers join the lines of a header with a comma.
  return header.split(/,? /).some(each => {
    const signature = each.startsWith(version) ? fromBase64(each.slice(version.length)) : null
    return (
      signature?.length === expected.length &&
      signature.reduce((different, byte, place) => different | (byte ^ (expected[place] ?? 0)), 0) === 0
    )
  })
}

async function hmac(key: CryptoKey, { id, timestamp, body }: SignedContent): Promise<Uint8Array> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return null
  }
}
