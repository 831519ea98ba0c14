import Sequencer from '@jest/test-sequencer'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './bundled.mjs'

const list = join(root, 'test/setup/longest.json')
const written = JSON.parse(readFileSync(list, 'utf8'))
const pathOf = file => relative(root, file).replaceAll('\\', '/')

/** Jest has measured the files that this machine has run before. In a new clone it would go by their lengths; the list has the slowest. */
const secondsOf = ({ path, duration }) => (duration === undefined ? (written[pathOf(path)] ?? 0) : duration / 1000)

/** What failed last time, as Jest does, then the longest first: one that begins last runs alone. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const failures = test => Number(this.hasFailed(test))
    return super.sort(tests).sort((one, other) => failures(other) - failures(one) || secondsOf(other) - secondsOf(one))
  }
}

/** The seconds of the sixty slowest files, from what Jest says of a run of all of them. */
export function slowest(testResults) {
  const seconds = {}
  for (const { name, startTime, endTime } of testResults) {
    const path = pathOf(name)
    // One file may run in several projects.
    seconds[path] = Math.max(seconds[path] ?? 0, Math.round((endTime - startTime) / 1000))
  }
  const sorted = Object.entries(seconds).sort(([, one], [, other]) => other - one)
  return Object.fromEntries(sorted.slice(0, 60))
}

/** Writes the list anew: `node test/run.mjs --write-times`. */
export function writeTimes(testResults) {
  writeFileSync(list, `${JSON.stringify(slowest(testResults), null, 2)}\n`)
}
