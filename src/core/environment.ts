/**
 * An environment variable, read by an expression that a bundler can inline: `() => process.env.NAME`. Once inlined, `read`
 * returns a constant; without a `process` it throws.
 */
export function fromEnvironment(read: () => string | undefined): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
