import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runs } from '../runs'
import { root } from './sources'

const run = promisify(execFile)

/** Cryptography and garbage collection are slow, most of all on a busy machine. */
const limitMillis = 600_000

/** A kept cell has a kilobyte, a kit nine; engines keep a little of their own, from −200 to 300 as measured. */
const flatBytes = 500

async function bytesPerLife(lives: number, ...args: string[]): Promise<Readonly<Record<string, number>>> {
  const program = join(__dirname, 'heap-program.mjs')
  const { stdout, stderr } = await run(process.execPath, ['--expose-gc', program, String(lives), ...args], {
    cwd: root,
  })
  // A warning of too many listeners shows a small leak.
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Readonly<Record<string, number>>
}

// Of 10,000 at night.
describe('of 1,000 short lives', () => {
  // Promise: own-fetch, flat-heap
  it(
    'nothing is left in memory',
    async () => {
      const bytes = await bytesPerLife(runs(1000, 10_000))
      process.stderr.write(`bytes left of each: ${JSON.stringify(bytes)}\n`)
      expect(Object.keys(bytes)).toHaveLength(10)
      expect(Object.entries(bytes).filter(([, left]) => left > flatBytes)).toEqual([])
    },
    limitMillis,
  )

  // Promise: flat-heap
  it(
    'a leak on purpose is found',
    async () => {
      const bytes = await bytesPerLife(200, 'leak')
      expect(Object.entries(bytes).filter(([, left]) => left <= flatBytes)).toEqual([])
    },
    limitMillis,
  )
})
