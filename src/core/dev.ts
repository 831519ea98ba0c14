/**
 * Whether messages explain: in development and on Node. `dev-off.ts` is published in its place for the bundles of a production
 * build; the field `imports` of package.json chooses.
 *
 * The texts of errors need no condition in the sources: `misuse`, `developerError` and `invalidResponse` of errors/auth-error.ts
 * get theirs in the build (rollup.config.mjs). A whole function for development is written
 * `const check = DEV ? (…) => { … } : () => undefined`. esbuild drops a branch of an expression, but no statement
 * (`if (DEV) { … }`), and nothing to which only a dropped branch refers.
 */
export const DEV: boolean = true
