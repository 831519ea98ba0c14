// `npm run nightly -- recordings`: sessions that a kit with a bug of bugs.ts has recorded are decided otherwise by the kit without it,
// and the test that `rxauth replay --minimise` prints of one fails with the bug and passes without it: by `--keep`, or else by
// `--mended`. What follows are numbers or words of bugs.
import assert from 'node:assert/strict'
import { build } from 'esbuild'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs, patched, type Bug } from './bugs'
import type { Terminal } from '../../src/cli/terminal'
import type * as recorded from './recorded'

type Kit = typeof recorded

const root = join(__dirname, '../..')
/** Node's own: jiti would compile each bundle once more. */
const load = createRequire(__filename)
/** As many of one tab, and as many of several. */
const seeds = Number(process.env['RXAUTH_SEEDS'] ?? 150)
/** With fewer bugs that recordings show, or that a minimised test shows, the run of all bugs fails. */
const least = { seen: 20, tested: 20 }
/** Of a bug, as many sessions are minimised. */
const mostSessions = 3

/** Bundles the sources with the texts of a bug as the file of a built package that --mended takes, and loads them. */
async function loaded(folder: string, name: string, texts: ReadonlyMap<string, string>): Promise<Kit> {
  const outfile = join(folder, name, 'dist/platform.cjs')
  await build({
    entryPoints: [join(__dirname, 'recorded.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
    absWorkingDir: root,
    external: ['esbuild', 'jiti'],
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'src/platform/node/')).href) },
    plugins: [
      {
        name: 'with a bug',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^rxauth(\/|$)/ }, ({ path }) => {
            const [, entry = 'index'] = /^rxauth\/(.*)$/.exec(path) ?? []
            return { path: join(root, 'src', `${entry.replace('/', '-')}.ts`) }
          })
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
            const contents = texts.get(relative(root, path))
            return contents === undefined ? undefined : { contents, loader: 'ts' }
          })
        },
      },
    ],
  })
  return load(outfile) as Kit
}

type Recorded = Awaited<ReturnType<Kit['recordedSession']>>['recording']

/** A session whose recording the sound kit decides otherwise. */
interface Found {
  readonly name: string
  readonly recording: Recorded
  /** The number of the first decision that differs. */
  readonly event: number
}

/** The sessions that the sound kit decides otherwise. */
async function* found(bugged: Kit, sound: Kit): AsyncGenerator<Found> {
  for (let seed = 1; seed <= seeds; seed++)
    for (const session of ['recordedTabs', 'recordedSession'] as const) {
      const { recording } = await bugged[session](seed)
      const { divergence } = await sound.played(sound.checked(recording))
      // The order within a turn may have been another one: the bugged kit has to decide as it did.
      if (divergence && !(await bugged.played(bugged.checked(recording))).divergence)
        yield { name: `${session} ${seed}`, recording, event: divergence.event }
    }
}

/** The printed test that fails with the bug and passes without it, in words. Undefined: there is none. */
async function testedBy(
  folder: string,
  bugged: Kit,
  sound: Kit,
  { recording, event }: Found,
): Promise<string | undefined> {
  writeFileSync(join(folder, 'report.json'), JSON.stringify(recording))
  for (const options of [{ keep: event }, { mended: 'sound' }]) {
    let printed = ''
    const terminal = { folder, out: (text: string) => void (printed += text), err: () => undefined }
    const asked = {
      file: 'report.json',
      minimises: true,
      asksWhy: false,
      isStrict: false,
      keep: undefined,
      mended: undefined,
    }
    // The command uses no other part of a terminal. An event may be no decision.
    await bugged.replayFile({ ...asked, ...options }, terminal as unknown as Terminal).catch(() => undefined)
    if (printed === '' || !(await fails(printed, bugged)) || (await fails(printed, sound))) continue
    const kind = printed.includes('const right =') ? 'demands' : 'forbids'
    const [, decision = ''] = /"did":"(\w+)"/.exec(printed.slice(printed.lastIndexOf('\nconst '))) ?? []
    return `${kind} ${decision}, ${printed.match(/"in":"/g)?.length ?? 0} inputs, by --${Object.keys(options).join()}`
  }
  return undefined
}

/** Whether a printed test fails with a kit. */
async function fails(printed: string, { replay }: Kit): Promise<boolean> {
  const tests: (() => Promise<void>)[] = []
  // oxlint-disable-next-line typescript/no-implied-eval -- a printed test is code
  const body = new Function('assert', 'test', 'replay', printed.replaceAll(/^import .*$/gm, '')) as (
    ...given: unknown[]
  ) => void
  body(assert, (_: string, test: () => Promise<void>) => tests.push(test), replay)
  return tests[0]!().then(
    () => false,
    () => true,
  )
}

async function main(): Promise<void> {
  process.on('unhandledRejection', () => undefined)
  // Refusals that the sessions do not look at.
  console.warn = () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-recordings-'))
  const counts = { seen: 0, tested: 0 }
  try {
    const sound = await loaded(folder, 'sound', new Map())
    for (const [index, bug] of bugs.entries()) {
      if (!isAsked(bug, index)) continue
      const told = await judged(folder, await loaded(folder, String(index), textsOf(bug)), sound)
      if (told.isSeen) counts.seen++
      if (told.isTested) counts.tested++
      console.log(`${index} ${bug.bug}: ${told.text}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`${counts.seen} of ${bugs.length} bugs are seen, and ${counts.tested} have a test of the fewest inputs`)
  if (process.argv.length === 2 && (counts.seen < least.seen || counts.tested < least.tested)) process.exitCode = 1
}

/** `npm run nightly -- recordings 3 lock`: the bugs of these numbers, or with these words; without any, all. */
function isAsked({ bug }: Bug, index: number): boolean {
  const asked = process.argv.slice(2)
  return asked.length === 0 || asked.some(word => String(index) === word || bug.includes(word))
}

function textsOf(bug: Bug): ReadonlyMap<string, string> {
  return patched(bug, file => readFileSync(join(root, file), 'utf8'))
}

async function judged(folder: string, bugged: Kit, sound: Kit) {
  const seen: string[] = []
  for await (const one of found(bugged, sound)) {
    seen.push(`${one.name}, event ${one.event}`)
    const test = await testedBy(folder, bugged, sound, one)
    if (test !== undefined) return { text: `${seen.at(-1)}: ${test}`, isSeen: true, isTested: true }
    if (seen.length === mostSessions) break
  }
  return { text: seen.join('; ') || 'not seen', isSeen: seen.length > 0, isTested: false }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
