/**
 * How often something random is tried: `few` in each run, `many` with `RXAUTH_LONG=1`, which the nightly sets
 * (`npm run long`).
 */
export const runs = (few: number, many: number): number => (process.env['RXAUTH_LONG'] ? many : few)
