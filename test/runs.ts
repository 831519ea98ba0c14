/**
 * The number of random tries: `few` in each run, `many` with `RXAUTH_LONG=1`, as in the nightly run (`npm run long`).
 */
export const runs = (few: number, many: number): number => (process.env['RXAUTH_LONG'] ? many : few)
