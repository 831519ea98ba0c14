// What loading the entries costs a Node process, which a function on a server pays with every cold start.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { print } from './measure'

const entries = ['rxauth', 'rxauth/admin', 'rxauth/server', 'rxauth/platform', 'rxauth/platform/node', 'rxauth/react']
/** The kit imports only the files of rxjs that it uses. */
const floor = 'rxjs'
// The server's entry has jose too, which verifies tokens.
const targets: Readonly<Record<string, number>> = { rxauth: 1, 'rxauth/admin': 1, 'rxauth/server': 1.05 }
if (!existsSync('dist/node/index.js')) throw new Error('there is no dist/node: run `npm run build` first')

/** In CPU time, so that other programs on the machine do not count. */
function loadMillis(name: string): number {
  const program = `const before = process.cpuUsage()
    await import('${name}')
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / 1000)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}

const measured = new Map<string, number[]>()
for (let round = 0; round < 15; round++) {
  for (const name of [floor, ...entries]) measured.set(name, [...(measured.get(name) ?? []), loadMillis(name)])
}
const median = (name: string) => measured.get(name)!.sort((a, b) => a - b)[7]!
print(
  'importing an entry on Node',
  [floor, ...entries].map(name => ({
    name,
    value: `${median(name).toFixed(0)} ms`,
    ...(name !== floor && { ratio: median(name) / median(floor), target: targets[name] }),
  })),
)
