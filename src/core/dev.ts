/**
 * Whether messages explain: in development and on Node. `dev-off.ts` is published in its place for the bundles of a production
 * build; the field `imports` of package.json chooses. Write `DEV ? 'the whole sentence' : 'what it is about'` in place: a
 * bundler drops only the branch that it sees.
 */
export const DEV: boolean = true
