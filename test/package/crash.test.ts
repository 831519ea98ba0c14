import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { runs } from '../runs'
import { root } from './sources'

/** `npm run nightly -- crash` runs a thousand. */
const rounds = runs('3', '10')

it('a platform on a file that is killed under load has lost nothing that it had answered', () => {
  const said = execFileSync(process.execPath, [join(root, 'test/crash/rounds.mjs'), '--rounds', rounds], {
    encoding: 'utf8',
  })
  expect(said).toMatch(
    new RegExp(`^${rounds} rounds, \\d+ answered writes, \\d+ people: nothing lost, nothing by half$`, 'm'),
  )
})
