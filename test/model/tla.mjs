// `npm run nightly -- model`: the model in TLA+ has as many states as the one in TypeScript. The checker is WebAssembly, and is
// fetched for this run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const version = '0.9.0'

/** Runs `use` with the checker, installed in a folder of its own. */
export async function withChecker(use) {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-tla-'))
  try {
    const { status } = spawnSync(
      'npm',
      ['install', '--ignore-scripts', '--no-save', '--prefix', folder, `tla-checker@${version}`],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      },
    )
    if (status !== 0) throw new Error(`tla-checker ${version} cannot be installed`)
    const main = createRequire(join(folder, 'package.json')).resolve('tla-checker')
    const checker = await import(pathToFileURL(main).href)
    checker.initSync({ module: readFileSync(join(main, '../tla_checker_bg.wasm')) })
    return use(checker)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const text = name => readFileSync(new URL(name, import.meta.url), 'utf8')

/** The number of states that the TLA+ text reaches; `isNamed`: states that differ in the names of the tabs count each. */
export function statesOf(checker, scope, isNamed) {
  const { tabs, people, isRotating, hasLocks, signIns, writes, expiries, faults } = scope
  const config = [
    text('session.cfg'),
    ...(isNamed ? [] : ['SYMMETRY Tab']),
    'CONSTANTS',
    `  Tab = {${Array.from({ length: tabs }, (_, index) => String.fromCharCode(65 + index)).join(', ')}}`,
    `  Person = {${people.map(person => JSON.stringify(person)).join(', ')}}`,
    `  Rotating = ${String(isRotating).toUpperCase()}`,
    `  Locks = ${String(hasLocks).toUpperCase()}`,
    `  SignIns = ${signIns}`,
    `  Writes = ${writes}`,
    `  Expiries = ${expiries}`,
    `  Faults = ${faults}`,
  ].join('\n')
  const answer = checker.check_spec_with_cfg(text('session.tla'), config, '{}', 10_000_000, 10_000, true, false)
  const { success, error_message: message, trace, states_explored: states } = JSON.parse(answer)
  if (!success) throw new Error(`${message}\n${(trace ?? []).join('\n')}`)
  return states
}
