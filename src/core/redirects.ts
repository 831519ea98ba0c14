/**
 * Whether a fetch may show the target of a redirect, so that the kit follows one to the same origin. `redirects-hidden.ts` is
 * published in its place for browsers, which hide every target; the field `imports` of package.json chooses. Written like `DEV`:
 * bundlers drop the branch that is not taken.
 */
export const REDIRECTS_SHOWN: boolean = true
