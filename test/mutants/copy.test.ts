import { failedIn, outcomeOf } from './copy'

const longMillis = 60_000

describe('the tests of a changed source', () => {
  it.each([
    ['passed', 'process.exit(0)', longMillis],
    ['failed', 'process.exit(1)', longMillis],
    ['failed', "process.kill(process.pid, 'SIGKILL')", longMillis],
    // What it has started would go on.
    ['out of time', "require('node:child_process').spawnSync(process.execPath, ['-e', 'for (;;);'])", 500],
  ])('%s: %s', async (outcome, script, millis) => {
    expect(await outcomeOf(['-e', script], __dirname, millis)).toBe(outcome)
  })

  it('are named where they fail, and a file that does not run too', () => {
    const testResults = [
      { name: 'a.test.ts', status: 'passed', assertionResults: [{ fullName: 'a', status: 'passed' }] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'b passes', status: 'passed' },
          { fullName: 'b fails', status: 'failed' },
        ],
      },
      { name: 'c.test.ts', status: 'failed', assertionResults: [] },
    ]
    expect(failedIn(JSON.stringify({ testResults }))).toEqual(['b.test.ts › b fails', 'c.test.ts'])
  })
})
