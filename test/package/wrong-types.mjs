// What @arethetypeswrong finds in a packed tarball: `node test/package/wrong-types.mjs rxauth-0.1.0.tgz`.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { readFileSync } from 'node:fs'

/**
 * The profile `esm-only`. The package has ES modules and an exports map: a resolver without exports maps (TypeScript's
 * `node10`) finds no subpath, and `require` gets an ES module, which Node 20.19 and later load.
 */
const accepted = new Set(['node10', 'node16-cjs'])

const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(process.argv[2]))))
if (!result.types) throw new Error(`${process.argv[2]} has no types`)
/** Jest loads them by name; no program imports them, so they have no types. */
const untyped = new Set(['./jest-preset', './jest-jsdom'])
const problems = result.problems.filter(
  problem => !accepted.has(problem.resolutionKind) && !untyped.has(problem.entrypoint),
)
console.log(JSON.stringify({ entries: Object.keys(result.entrypoints), problems }))
