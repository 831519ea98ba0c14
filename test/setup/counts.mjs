import { writeFileSync } from 'node:fs'

/** Where `test/run.mjs` wants the counts. */
export const variable = 'RXAUTH_TEST_COUNTS'

/**
 * Counts the tests of each project, which the JSON of Jest does not tell apart: two projects have the same files.
 * A file that crashes counts as one failed test.
 */
export default class Counts {
  #counts = new Map()

  onTestFileResult({ context }, { numPassingTests, numFailingTests, testExecError }) {
    const project = context.config.displayName.name
    const { green, red } = this.#counts.get(project) ?? { green: 0, red: 0 }
    const failed = numFailingTests + (testExecError ? 1 : 0)
    this.#counts.set(project, { green: green + numPassingTests, red: red + failed })
  }

  onRunComplete() {
    writeFileSync(process.env[variable], JSON.stringify(Object.fromEntries(this.#counts)))
  }
}
