// The findings of @arethetypeswrong in a packed tarball: `node test/package/wrong-types.mjs rxauth-0.1.0.tgz`.
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { readFileSync } from 'node:fs'

const result = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(process.argv[2]))))
if (!result.types) throw new Error(`${process.argv[2]} has no types`)
/** Jest loads them by name; no program imports them, so they have no types. */
const untyped = new Set(['./jest-preset', './jest-jsdom'])
const problems = result.problems.filter(problem => !untyped.has(problem.entrypoint))
console.log(JSON.stringify({ entries: Object.keys(result.entrypoints), problems }))
