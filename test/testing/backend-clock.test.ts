import { buildSync } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'rxauth-backend-clock-'))
const script = join(folder, 'backend clock.cjs')
const file = join(folder, 'moved')

beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, '../../src/testing/backend-clock.ts')],
    outfile: script,
    format: 'cjs',
    platform: 'node',
  })
})

afterAll(() => rmSync(folder, { recursive: true }))

/** What a program says whose `NODE_OPTIONS` load the script; `moved` is the text of the file. */
function run(program: string, moved?: string): unknown {
  rmSync(file, { force: true })
  if (moved !== undefined) writeFileSync(file, moved)
  const env = { ...process.env, NODE_OPTIONS: `--require "${script}"`, RXAUTH_CLOCK_FILE: file }
  return JSON.parse(execFileSync(process.execPath, ['--eval', program], { env, encoding: 'utf8' }))
}

/** `value` is as far ahead of the real time as the file says: the program ends within the same hour. */
const ahead = (value: string) =>
  `const real = Math.round(performance.timeOrigin); console.log(Math.round((${value} - real) / 3_600_000) || 0)`

// Promise: playwright-clock
it.each([
  'Date.now()',
  'new Date().getTime()',
  'new Date(Date()).getTime()',
  'new (class Later extends Date {})().getTime()',
  'Number(new Date())',
])('%s of a backend is as far ahead as the file says', value => {
  expect(run(ahead(value), '28800000')).toBe(8)
  expect(run(ahead(value))).toBe(0)
})

it('a thread of a backend is as far ahead', () => {
  const program = `
    const { Worker } = require('node:worker_threads')
    const thread = new Worker("require('node:worker_threads').parentPort.postMessage(Date.now())", { eval: true })
    thread.on('message', now => { ${ahead('now')} })
  `
  expect(run(program, '28800000')).toBe(8)
})

it('two copies of the script move a backend once', () => {
  const copy = join(folder, 'copy.cjs')
  copyFileSync(script, copy)
  expect(run(`require(${JSON.stringify(copy)}); ${ahead('Date.now()')}`, '28800000')).toBe(8)
})

it('says that a backend has loaded it', () => {
  run('console.log(0)')
  expect(existsSync(`${file}.loaded`)).toBe(true)
})

it('a process without the file has the real time', () => {
  const env = { ...process.env, NODE_OPTIONS: `--require "${script}"`, RXAUTH_CLOCK_FILE: undefined }
  expect(JSON.parse(execFileSync(process.execPath, ['--eval', ahead('Date.now()')], { env, encoding: 'utf8' }))).toBe(0)
})

it('follows each change of the file, at once', () => {
  const program = `
    const { writeFileSync } = require('node:fs')
    const before = Date.now()
    writeFileSync(process.env.RXAUTH_CLOCK_FILE, '3600000')
    console.log(Math.round((Date.now() - before) / 3_600_000))
  `
  expect(run(program, '0')).toBe(1)
})

it('a given date is that date, and every date is a Date', () => {
  const program = `
    const made = new Date(2026, 0, 1)
    const values = [new Date(0).getTime(), Date.UTC(1970, 0, 2), made.getFullYear(), made.getMonth(), Date.parse('1970-01-01')]
    class Later extends Date {}
    const kinds = [made instanceof Date, made.constructor === Date, new Later() instanceof Later, Date.name, Date.length]
    console.log(JSON.stringify([...values, ...kinds]))
  `
  expect(run(program, '28800000')).toEqual([0, 86_400_000, 2026, 0, 0, true, true, true, 'Date', 7])
})
