import { writeFileSync } from 'node:fs'

/** Where `test/run.mjs` wants the counts. */
export const variable = 'RXAUTH_TEST_COUNTS'

/** A run on a change names such a test, and goes on: a machine may be busy. */
const isNight = () => process.env.RXAUTH_LONG === '1'

/** Tests that may pass at their second attempt, as `{ test, reason, since }`: the full name, and the date of the entry. */
const known = []

/**
 * Counts the tests of each project, which the JSON of Jest does not tell apart: two projects have the same files.
 * A file that crashes counts as one failed test, and so does, at night, a test that has passed at its second attempt only.
 */
export default class Counts {
  #counts = new Map()
  #retried = []
  #excused

  constructor(_config, { excused = known }) {
    this.#excused = excused
  }

  onTestFileResult({ context }, { numPassingTests, numFailingTests, testExecError, testResults }) {
    const project = context.config.displayName.name
    const { green, red } = this.#counts.get(project) ?? { green: 0, red: 0 }
    const retried = testResults
      .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
      .map(({ fullName, retryReasons }) => {
        const excuse = this.#excused.find(({ test }) => test === fullName)
        return { fullName, excuse, error: retryReasons[0] }
      })
    this.#retried.push(...retried)
    const late = isNight() ? retried.filter(({ excuse }) => !excuse).length : 0
    const failed = numFailingTests + (testExecError ? 1 : 0) + late
    this.#counts.set(project, { green: green + numPassingTests - late, red: red + failed })
  }

  onRunComplete() {
    for (const { fullName, excuse, error } of this.#retried)
      console.error(
        `passed at the second attempt only: ${fullName}\n${excuse ? `known since ${excuse.since}: ${excuse.reason}` : error}`,
      )
    writeFileSync(process.env[variable], JSON.stringify(Object.fromEntries(this.#counts)))
  }

  /** Jest ends as failed with an error of a reporter. */
  getLastError() {
    if (isNight() && this.#retried.some(({ excuse }) => !excuse))
      return new Error('a test has passed at its second attempt only')
  }
}
