import Sequencer from '@jest/test-sequencer'
import { relative } from 'node:path'
import { root } from './bundled.mjs'

/**
 * The slowest files, the slowest first. Jest goes by the length of files until it has measured them on the same machine: in a
 * new clone a short file that takes a minute would begin last, and run alone.
 */
const longest = [
  // Builds the apps, for which `renders` waits too.
  'browser/frameworks.test.ts',
  // Builds the site.
  'browser/site.test.ts',
  'browser/teams.test.ts',
  'browser/admin.test.ts',
  'browser/methods.test.ts',
  'browser/renders.test.ts',
  'browser/example.test.ts',
  'browser/settings.test.ts',
  'package/typescript.test.ts',
  'package/heap.test.ts',
  'package/exports.test.ts',
  'package/dev.test.ts',
  'flows/every-mutation.test.ts',
  'flows/answers-alone.test.ts',
  'docs/examples.test.ts',
  'session/twenty-tabs.test.ts',
  'flows/owned.test.ts',
  'docs/reference.test.ts',
  'docs/reference-pages.test.ts',
]

const placeOf = ({ path }) => {
  const place = longest.indexOf(relative(`${root}/test`, path).replaceAll('\\', '/'))
  return place === -1 ? longest.length : place
}

/** Those first, then as Jest does. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other))
  }
}
