/**
 * A text that counts how often its characters are read. It has only the methods that hand-written code needs; a regular
 * expression, or any other method, fails on it.
 */
export function countedText(text: string): { readonly text: string; readonly steps: () => number } {
  let steps = 0
  const counted = {
    length: text.length,
    charCodeAt(at: number) {
      steps++
      return text.charCodeAt(at)
    },
    indexOf(part: string, from = 0) {
      const found = text.indexOf(part, from)
      steps += Math.max(0, (found < 0 ? text.length : found) - from) + part.length
      return found
    },
    startsWith(part: string, from = 0) {
      steps += part.length
      return text.startsWith(part, from)
    },
    slice(from: number, to = text.length) {
      steps += Math.max(0, Math.min(to, text.length) - from)
      return text.slice(from, to)
    },
    [Symbol.toPrimitive](): string {
      throw new Error('a counted text was read as a whole')
    },
  }
  return { text: counted as unknown as string, steps: () => steps }
}

/** How often characters of texts are read while it runs, by code that takes a text as a whole. */
export async function readsOf(run: () => Promise<unknown>): Promise<number> {
  const original = Object.getOwnPropertyDescriptor(String.prototype, 'charCodeAt')!
  const charCodeAt = original.value as (this: string, at: number) => number
  let reads = 0
  const value = function (this: string, at: number) {
    reads++
    return charCodeAt.call(this, at)
  }
  Object.defineProperty(String.prototype, 'charCodeAt', { ...original, value })
  await run().finally(() => Object.defineProperty(String.prototype, 'charCodeAt', original))
  return reads
}
