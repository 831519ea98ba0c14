import { orUndefined } from './or-undefined'

/**
 * An environment variable, read by an expression that a bundler can inline: `() => process.env.NAME`. Once inlined, `read`
 * returns a constant; without a `process` it throws.
 */
export const fromEnvironment: (read: () => string | undefined) => string | undefined = orUndefined
