import { crc32 } from 'node:zlib'
import { checksum, newApiKeyText } from '../../../src/platform/directory/api-keys'

describe('the checksum of an API key', () => {
  it('is a standard CRC-32', () => {
    expect(checksum('123456789')).toBe(0xcbf43926)
    expect(checksum('')).toBe(0)
  })

  it('is eight digits, with zeros in front', () => {
    const id = '00000000-0000-4000-8000-000000000000'
    for (let count = 0; count < 50; count++) {
      const key = newApiKeyText({ id, kind: 'team', isPublic: false })
      expect(key).toHaveLength(3 + 45 + 32 + 4 + 1 + 9 + 8)
      expect(Number.parseInt(key.slice(-8), 16)).toBe(crc32?.(key.slice(0, -8)) ?? checksum(key.slice(0, -8)))
    }
  })
})
