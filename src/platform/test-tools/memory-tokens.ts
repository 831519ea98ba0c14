import type { LocalTokens, TokenPair } from '../platform'

export function memoryTokens(initial: TokenPair): LocalTokens {
  let tokens: TokenPair | null = initial
  return {
    read: () => tokens,
    replace(expected, next) {
      if ((tokens?.refreshToken ?? null) !== (expected?.refreshToken ?? null)) return false
      tokens = next
      return true
    },
  }
}
