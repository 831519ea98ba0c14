import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The promise: `rxauth dev` answers within two seconds of its start, on a new file and on an existing one.
const limitMillis = 2_000
const program = join(process.cwd(), 'dist/platform-bin.js')
if (!existsSync(program)) throw new Error('there is no dist/platform-bin.js: run `npm run build` first')

const folder = mkdtempSync(join(tmpdir(), 'rxauth-bench-'))
writeFileSync(join(folder, 'package.json'), '{}')
try {
  for (const [name, args] of [
    ['a new file', []],
    ['the same file again', []],
    ['in memory', ['--data', 'memory']],
  ] as const) {
    const times = []
    for (let round = 0; round < 5; round++) {
      if (name === 'a new file') rmSync(join(folder, '.rxauth'), { recursive: true, force: true })
      times.push(await start(args))
    }
    const [, , median = 0] = times.sort((a, b) => a - b)
    console.log(`  ${name.padEnd(22)}${median.toFixed(0).padStart(6)} ms to the first line (limit ${limitMillis})`)
    if (median > limitMillis) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Milliseconds until the program prints that it listens. */
async function start(args: readonly string[]): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, 'dev', '--port', '0', '--json', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('close', code => reject(new Error(`rxauth dev has ended with ${String(code)}`)))
  })
  const millis = performance.now() - startedAt
  child.kill('SIGTERM')
  await ended
  return millis
}
