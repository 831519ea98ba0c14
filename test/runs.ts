/** Whether this is the nightly run (`npm run nightly -- long`), which has every case. */
const isLong = Boolean(process.env['RXAUTH_LONG'])

/** The number of random tries, or the cases of a table: `few` in each run, `many` in the nightly one. */
export const runs = <T>(few: T, many: T): T => (isLong ? many : few)

/** `it` for a case of the nightly run alone: what it checks rests on the cases beside it, or on tests without a browser. */
export function itInLong(...of: Parameters<typeof it>): void {
  if (isLong) it(...of)
}

/** `describe` for cases of the nightly run alone. */
export function describeInLong(...of: Parameters<typeof describe>): void {
  if (isLong) describe(...of)
}
