const { default: Runtime } = require('jest-runtime')
const { compiled } = require('./compiled.cjs')

/**
 * Jest's runtime, which compiles a module once in each worker. Jest's own compiles every module again for each test file: the
 * sources, which are one bundle (bundle.mjs), the packages, and the parts of Jest that run beside a test.
 */
module.exports = class OnceCompiled extends Runtime {
  constructor(...args) {
    super(...args)
    const { executor } = this
    const compileAnew = executor?.compile
    if (!compileAnew) throw new Error('this version of Jest compiles modules elsewhere: look at test/setup/runtime.cjs')
    executor.compile = (text, file) => {
      const context = executor.environment.getVmContext()
      // No later file loads a test. A module that does not parse is reported as Jest does.
      if (context === null || file === executor.testPath) return compileAnew.call(executor, text, file)
      try {
        return compiled(file, text, executor.injectedModuleParameters).runInContext(context)
      } catch {
        return compileAnew.call(executor, text, file)
      }
    }
  }
}
