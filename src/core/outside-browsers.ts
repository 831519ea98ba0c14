/**
 * Whether this build runs outside of browsers as well: there the kit shows itself the target of a redirect, and an app of an edge
 * runtime outlives its requests. `outside-browsers-off.ts` is published in its place for browsers; the field `imports` of
 * package.json chooses. Written like `DEV`: bundlers drop the branch that is not taken.
 */
export const OUTSIDE_BROWSERS: boolean = true
