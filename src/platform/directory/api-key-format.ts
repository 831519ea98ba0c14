import { randomText } from '../model/random-text'
import type { ApiKeyRow } from '../model/owned-tables'

/** Part of every key, so that secret scanners can recognise it. */
const marker = '574ck4u7h'

/**
 * A new API key: prefix, secret, the key's id, the kind of its owner, a flag, the marker, and a checksum of these. The
 * flag says whether the platform is self-hosted (1) and whether the key is public (2).
 */
export function newApiKeyText({ id, kind, isPublic }: Pick<ApiKeyRow, 'id' | 'kind' | 'isPublic'>): string {
  const flag = 1 + (isPublic ? 2 : 0)
  const text = `${isPublic ? 'pk' : 'sk'}_${randomText()}${id.replaceAll('-', '')}${kind}${flag}${marker}`
  return text + checksum(text).toString(16).padStart(8, '0')
}

/** CRC-32 as zip files have it, of a text in ASCII. */
export function checksum(text: string): number {
  let rest = 0xffffffff
  for (const character of text) {
    rest ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  }
  return (rest ^ 0xffffffff) >>> 0
}
