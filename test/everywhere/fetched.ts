import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../package/sources'

/** A place that cannot be tried on this machine, and why. */
export class NotHere extends Error {}

/** A folder of `node_modules/.cache` into which npm has installed the newest of these versions; no package runs a script. */
export async function fetched(name: string, ...packages: readonly string[]): Promise<string> {
  const folder = join(root, 'node_modules/.cache/rxauth-everywhere', name)
  rmSync(join(folder, 'node_modules/rxauth'), { recursive: true, force: true })
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }))
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel', 'error']
  const args = ['install', '--ignore-scripts', '--legacy-peer-deps', '--workspaces=false', ...quiet, ...packages]
  await output(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, folder)
  return folder
}

export function versionIn(folder: string, name: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return (manifest as { readonly version: string }).version
}

/** What the program prints; rejects with the line of its error. */
export function output(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Without the variables of Jest, of which Node's test mode is one.
    const { PATH, HOME } = process.env
    const child = spawn(program, args, { cwd, env: { PATH, HOME, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    child.on('error', reject).on('close', status => {
      if (status === 0) resolve(printed.trim())
      else reject(new Error(errorIn(printed)))
    })
  })
}

/** `TypeError: x is no function` of all that a runtime prints about it. */
function errorIn(printed: string): string {
  const lines = printed.split('\n').filter(line => line.trim() !== '')
  return (lines.find(line => /error/i.test(line)) ?? lines[0] ?? 'it printed nothing').trim()
}
