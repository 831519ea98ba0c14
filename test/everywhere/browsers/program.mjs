// Opens pages in a browser and prints `runs`, or the first error; of the kind `version` it prints the version. The process of this
// program is killed if the browser hangs, and finds the driver of Firefox in the folder into which npm has put it.
import { runProgram, last } from './pages.mjs'
import { copiedScreens, siteRunner } from './screens.mjs'
import { signInWays, signInWithoutLocks } from './ways.mjs'

const given = JSON.parse(process.argv[2])
const { open } = await import(`./${given.browser}.mjs`)
const browser = await open(given)

const kinds = {
  version: () => browser.version,
  'web worker': runProgram,
  'service worker': runProgram,
  ways: signInWays,
  'ways without locks': signInWithoutLocks,
  site: siteRunner,
  screens: copiedScreens,
}

try {
  console.log((await Promise.race([browser.failed, kinds[given.kind](browser, given)])) ?? 'runs')
} catch (error) {
  console.log(`Error: after ${last()}: ${error.message}`)
  process.exitCode = 1
} finally {
  await browser.close()
}
