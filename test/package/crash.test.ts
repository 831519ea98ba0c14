import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './sources'

// `npm run nightly -- crash` runs a thousand rounds.
it('a platform on a file that is killed under load has lost nothing that it had answered', () => {
  const said = execFileSync(process.execPath, [join(root, 'test/crash/rounds.mjs'), '--rounds', '10'], {
    encoding: 'utf8',
  })
  expect(said).toMatch(/^10 rounds, \d+ answered writes, \d+ people: nothing lost, nothing by half$/m)
})
