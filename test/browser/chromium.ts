import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'

const run = promisify(execFile)
const root = join(__dirname, '../..')

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of other hosts come from this machine, too.
  '--host-resolver-rules=MAP *.example 127.0.0.1',
  // Pages of tests live for seconds: the time in which V8 optimizes their code is lost.
  '--js-flags=--no-opt --no-maglev',
]

/** Chromium without a window: an installed one if there is any, else the packed one. Each launch has an empty profile. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await chromiumOptions())
}

/** How it is launched. */
export async function chromiumOptions(): Promise<LaunchOptions> {
  const installed = installedChromium()
  if (installed !== undefined) return { executablePath: installed, args: quiet }

  const folder = await unpackedChromium()
  const executablePath = join(folder, 'chromium')
  const env = await environmentFor(executablePath, folder)
  return { executablePath, args: quiet, env }
}

function installedChromium(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => ['chromium', 'chromium-browser', 'google-chrome'].map(name => join(folder, name)))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The folder with the browser of `@sparticuz/chromium`, unpacked once per installation.
 *
 * That package unpacks into the machine's temporary folder and takes a half-written file for a finished one, so it is
 * given a folder of its own, which gets its final name in one step: of several workers the first wins.
 */
async function unpackedChromium(): Promise<string> {
  const require = createRequire(join(root, 'package.json'))
  const entry = require.resolve('@sparticuz/chromium')
  const cache = join(root, 'node_modules/.cache')
  const folder = join(cache, `chromium-${packedVersion(entry)}`)
  if (existsSync(folder)) return folder

  await mkdir(cache, { recursive: true })
  const unpacking = await mkdtemp(join(cache, 'chromium-unpacking-'))
  const script = `import chromium from ${JSON.stringify(entry)}; await chromium.executablePath()`
  await run(process.execPath, ['--input-type=module', '--eval', script], {
    // On Amazon Linux the package unpacks the NSS libraries too, which other small systems lack just the same.
    env: { ...process.env, TMPDIR: unpacking, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  })
  await rename(unpacking, folder).catch(async (error: unknown) => {
    await rm(unpacking, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

function packedVersion(entry: string): string {
  const manifest = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8')) as { version: string }
  return manifest.version
}

/** The unpacked libraries and fonts stand in for those that the system lacks, never for those that it has. */
async function environmentFor(executable: string, folder: string): Promise<Record<string, string>> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const { stdout } = await run('ldd', [executable])
  if (stdout.includes('not found')) env['LD_LIBRARY_PATH'] = join(folder, 'al2023/lib')
  if (!existsSync('/etc/fonts')) env['FONTCONFIG_PATH'] = join(folder, 'fonts')
  return env
}
