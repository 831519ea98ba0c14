/**
 * Whether messages explain: in development and on Node. `dev-off.ts` is published in its place for the bundles of a production
 * build; the field `imports` of package.json chooses.
 *
 * Write `DEV ? 'the whole sentence' : 'what it is about'`, or `const check = DEV ? (…) => { … } : () => undefined`. esbuild drops
 * a branch of an expression, but no statement (`if (DEV) { … }`), and nothing to which only a dropped branch refers.
 */
export const DEV: boolean = true
