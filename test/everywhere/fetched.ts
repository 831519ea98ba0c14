import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../package/sources'

/** A place that cannot be tried on this machine, and why. */
export class NotHere extends Error {}

/** A folder of `node_modules/.cache` into which npm has installed the newest of these versions; no package runs a script. */
export function fetched(name: string, ...packages: readonly string[]): Promise<string> {
  return filled(join(root, 'node_modules/.cache/rxauth-everywhere', name), name, packages)
}

/** The same for an app with tests: test runners skip all that lies below a folder `node_modules`. */
export function fetchedOutside(name: string, ...packages: readonly string[]): Promise<string> {
  return filled(join(tmpdir(), 'rxauth-everywhere', name), name, packages)
}

async function filled(folder: string, name: string, packages: readonly string[]): Promise<string> {
  rmSync(join(folder, 'node_modules/rxauth'), { recursive: true, force: true })
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }))
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel', 'error']
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--workspaces=false', ...quiet, ...packages]
  // npm repeats by itself what the registry does not answer.
  await output(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, folder, 6 * patienceMillis).catch(
    (cause: unknown) => {
      throw new Error(`npm cannot install ${packages.join(' ')}: ${(cause as Error).message}`, { cause })
    },
  )
  return folder
}

export function versionIn(folder: string, name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return (manifest as { readonly version: string }).version
}

/** Longer than any place needs; an installation has six times as long, which is less than the time of a test. */
export const patienceMillis = 100_000

/** What this comes to; rejects if that takes longer than any place needs. */
export async function inTime<Result>(what: string, running: Promise<Result>, millis = patienceMillis): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what} does not end within ${millis / 1000} seconds`))
    }, millis)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What the program prints; rejects with the line of its error. A program that does not end is killed, and all that it has started. */
export function output(
  program: string,
  args: readonly string[],
  cwd: string,
  millis = patienceMillis,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without the variables of Jest, of which Node's test mode is one.
    const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env
    const child = spawn(program, args, {
      cwd,
      env: { PATH, HOME, NODE_EXTRA_CA_CERTS, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, where a system has groups: workers of a killed program run on, and keep its output open.
      detached: process.platform !== 'win32',
    })
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      if (process.platform === 'win32') child.kill('SIGKILL')
      else process.kill(-child.pid!, 'SIGKILL')
    }, millis)
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.on('error', reject).on('close', (status, signal) => {
      clearTimeout(timer)
      const said = `, having printed "${printed.trim()}"`
      if (status === 0) resolve(printed.trim())
      else if (isLate) reject(new Error(`${basename(program)} does not end within ${millis / 1000} seconds${said}`))
      else reject(new Error(signal === null ? errorIn(printed) : `${basename(program)} is ended by ${signal}${said}`))
    })
  })
}

/** Runs this with the address that the program prints, in a group of this pattern or alone in its line, and ends the program. */
export async function serving(
  program: string,
  args: readonly string[],
  cwd: string,
  run: (address: string) => Promise<void>,
  printedBy = /^(https?:\/\/\S+)$/m,
): Promise<void> {
  const { PATH, HOME } = process.env
  const child = spawn(program, args, { cwd, env: { PATH, HOME, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise(resolve => child.on('close', resolve))
  try {
    let printed = ''
    const address = await inTime(
      basename(program),
      new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            printed += text
            const [, found] = printedBy.exec(printed) ?? []
            if (found !== undefined) resolve(found)
          })
        child.on('error', reject).on('close', () => {
          reject(new Error(errorIn(printed)))
        })
      }),
    )
    await run(address)
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** `TypeError: x is no function` of all that a runtime prints about it. */
function errorIn(printed: string): string {
  const lines = printed.split('\n').filter(line => line.trim() !== '')
  // A path or a line of the source, which runtimes print first, may be about errors too.
  const line = lines.find(line => /^\w*(Error|error)\b.*:/.test(line)) ?? lines.find(line => /error/i.test(line))
  return (line ?? lines[0] ?? 'it printed nothing').trim()
}
