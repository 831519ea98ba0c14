import swc from '@swc/jest'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPath, root } from './bundled.mjs'

const sources = JSON.stringify(join(root, 'test/setup/sources.cjs'))

/** A mock of a module would reach the modules that tests import, not those in the bundle, and the test would see nothing of it. */
const mocksSource = /jest\s*\.\s*(?:mock|doMock|unstable_mockModule)\(\s*['"](?:[^'"]*\/(?:src|react)\/|rxauth)/

/** What Jest keeps of earlier runs was made by these rules. */
const rules = createHash('sha256')
for (const name of ['bundled.mjs', 'transform.mjs']) rules.update(readFileSync(new URL(name, import.meta.url)))
const version = rules.digest('hex')

/** What @swc/jest does, but a source file becomes an import of the one bundle that has them all. */
function createTransformer(options) {
  const perFile = swc.createTransformer(options)
  return {
    canInstrument: perFile.canInstrument,
    getCacheKey: (...args) => `${perFile.getCacheKey(...args)}-${version}`,
    process(source, file, settings) {
      const path = bundledPath(file)
      // Coverage counts the lines of each file.
      if (path !== undefined && !settings.instrument)
        return { code: `module.exports = require(${sources})[${JSON.stringify(path)}]()` }
      if (mocksSource.test(source))
        throw new Error(
          `${file} mocks a module of the sources, which are one bundle here (test/setup/bundle.mjs): spy on a method instead.`,
        )
      return perFile.process(source, file, settings)
    },
  }
}

export default { createTransformer }
