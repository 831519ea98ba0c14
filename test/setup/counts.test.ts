import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../package/sources'

interface Reporter {
  onTestFileResult(test: object, result: object): void
  onRunComplete(): void
  getLastError(): Error | undefined
}
type Module = {
  readonly variable: string
  readonly default: new (config: object, options: { readonly excused: readonly object[] }) => Reporter
}

const { default: Counts, variable } = jest.requireActual<Module>('./counts.mjs')

let folder: string
let counts: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-counts-'))
  counts = join(folder, 'counts.json')
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('a test that passes at its second attempt', () => {
  it('fails the run, which names it and its first error', () => {
    const test = `
      jest.retryTimes(1, { logErrorsBeforeRetry: true })
      let attempts = 0
      it('waits too little', () => { if (attempts++ === 0) throw new Error('a button is missing') })
      it('waits', () => undefined)`
    writeFileSync(join(folder, 'flaky.test.js'), test)
    const config = { rootDir: folder, displayName: { name: 'browser', color: 'white' }, transform: {} }
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/jest/bin/jest.js'),
        ...['--config', JSON.stringify(config), '--runInBand', '--reporters', join(__dirname, 'counts.mjs')],
      ],
      { encoding: 'utf8', env: { ...process.env, RXAUTH_LONG: '1', [variable]: counts } },
    )
    expect(stderr).toMatch(/passed at the second attempt only: waits too little\n.*a button is missing/)
    expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({ browser: { green: 1, red: 1 } })
    expect(status).toBe(1)
  })

  it('fails no run if the test is on the list, whose reason is printed', () => {
    const reporter = new Counts(
      {},
      {
        excused: [{ test: 'waits', reason: 'a fault of the browser', since: '2026-11-29' }],
      },
    )
    const told = jest.spyOn(console, 'error').mockImplementation()
    jest.replaceProperty(process, 'env', { ...process.env, [variable]: counts })
    reporter.onTestFileResult(
      { context: { config: { displayName: { name: 'browser' } } } },
      {
        numPassingTests: 1,
        numFailingTests: 0,
        testResults: [{ fullName: 'waits', status: 'passed', invocations: 2, retryReasons: ['slow'] }],
      },
    )
    reporter.onRunComplete()
    jest.restoreAllMocks()
    expect(told.mock.calls).toEqual([
      ['passed at the second attempt only: waits\nknown since 2026-11-29: a fault of the browser'],
    ])
    expect(JSON.parse(readFileSync(counts, 'utf8'))).toEqual({ browser: { green: 1, red: 0 } })
    expect(reporter.getLastError()).toBeUndefined()
  })
})
