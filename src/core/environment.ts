/**
 * An environment variable, by an expression that a bundler can inline: `() => process.env.NAME`. Where it was inlined,
 * `read` is a constant; where there is no `process`, it throws.
 */
export function fromEnvironment(read: () => string | undefined): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
