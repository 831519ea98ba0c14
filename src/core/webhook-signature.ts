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
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

/** The signature as its header has it. */
export async function webhookSignature(key: CryptoKey, content: SignedContent): Promise<string> {
  const signature = await crypto.subtle.sign('HMAC', key, signedBytes(content))
  return version + btoa(String.fromCharCode(...new Uint8Array(signature)))
}

/** Whether one of the space-separated signatures of a header is valid. WebCrypto compares in constant time. */
export async function hasWebhookSignature(key: CryptoKey, content: SignedContent, header: string): Promise<boolean> {
  const bytes = signedBytes(content)
  for (const each of header.split(' ')) {
    const signature = each.startsWith(version) ? fromBase64(each.slice(version.length)) : null
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, bytes))) return true
  }
  return false
}

function signedBytes({ id, timestamp, body }: SignedContent): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return null
  }
}
