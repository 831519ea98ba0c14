/** A user's tokens, kept in memory, as a token store for a kit. */
export interface LocalTokens {
  read(): TokenPair | null
  replace(expected: TokenPair | null, next: TokenPair | null): boolean
}

/** The two tokens of a session. */
export interface TokenPair {
  readonly accessToken: string | null
  readonly refreshToken: string | null
}

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
