import { appendFileSync, readFileSync } from 'node:fs'

/** Where `test/run.mjs` wants a line for each test file: its path and its CPU seconds. */
export const cpuVariable = 'RXAUTH_TEST_CPU'

/** Of Linux, where `/proc` counts in hundredths of a second. */
const ticksPerSecond = 100

/** CPU seconds of child processes that have ended, with their own children. Only Linux tells: 0 elsewhere. */
export function cpuSecondsOfChildren() {
  try {
    // The second field is the program's name in parentheses, which may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\)\s/s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  } catch {
    return 0
  }
}

/** CPU seconds of this process, its threads, and its children that have ended. */
export function cpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + cpuSecondsOfChildren()
}

/** Notes what a test file has cost since `before`. A browser that several files share is not in it. */
export function noteCpu(path, before) {
  const file = process.env[cpuVariable]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ path, seconds: cpuSeconds() - before })}\n`)
}
