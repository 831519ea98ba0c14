/**
 * 53 bits that tell texts apart, in base 36: for keys of storage that must not contain the text. Synchronous, unlike
 * `crypto.subtle`, and no proof of anything: ids of users are random, so that the text cannot be found by trying.
 */
export function textHash(text: string): string {
  let [low, high] = [0xdeadbeef, 0x41c6ce57]
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    low = Math.imul(low ^ point, 2_654_435_761)
    high = Math.imul(high ^ point, 1_597_334_677)
  }
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & high) + (low >>> 0)).toString(36)
}
