// `npm run nightly -- recordings`: sessions that a kit with a bug of bugs.ts has recorded are decided otherwise by the kit without it,
// and the test that `--minimise` prints of one fails with the bug and passes without it. What follows are numbers or words of bugs.
import { build } from 'esbuild'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs, patched, type Bug } from './bugs'
import type * as recorded from './recorded'

type Kit = typeof recorded

const root = join(__dirname, '../..')
/** Node's own: jiti would compile each bundle once more. */
const load = createRequire(__filename)
/** As many of one tab, and as many of several. */
const seeds = Number(process.env['RXAUTH_SEEDS'] ?? 150)
/** With fewer bugs that recordings show, or that a minimised test shows, the run of all bugs fails. */
const least = { seen: 20, tested: 17 }
/** A recording may have many decisions that only the kit with the bug makes. */
const mostMinimised = 6

/** Bundles the sources with the texts of a bug, and loads them. */
async function loaded(folder: string, name: string, texts: ReadonlyMap<string, string>): Promise<Kit> {
  const outfile = join(folder, `${name}.cjs`)
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

/** The first session whose recording the sound kit decides otherwise, and where. */
async function found(bugged: Kit, sound: Kit) {
  for (let seed = 1; seed <= seeds; seed++)
    for (const session of ['recordedTabs', 'recordedSession'] as const) {
      const { recording } = await bugged[session](seed)
      const { divergence } = await sound.played(sound.checked(recording))
      // The order within a turn may have been another one: the bugged kit has to decide as it did.
      if (divergence && !(await bugged.played(bugged.checked(recording))).divergence)
        return { session, seed, recording, divergence }
    }
  return undefined
}

/**
 * The number of inputs in a test that fails with the bug and passes without it: the fewest that lead to a decision which only the kit
 * with the bug makes. The recorded one at the divergence is tried first. Undefined: none of these tests is such a one.
 */
async function testedBy(bugged: Kit, sound: Kit, recording: object, event: number): Promise<number | undefined> {
  const { events, ...read } = bugged.checked(recording)
  const decided = async (kit: Kit, some: typeof events) =>
    (await kit.decisionsOf({ ...read, events: some })).map(made => ({ made, text: textOf(kit.decisionIn(made, some)) }))
  const right = new Set((await decided(sound, events)).map(({ text }) => text))
  const wrong = (await decided(bugged, events)).filter(({ text }) => !right.has(text))
  const recorded = textOf(events[event] ?? {})
  const isRecorded = ({ made }: (typeof wrong)[0]) => textOf(made.decision) === recorded
  const tried = [...wrong.filter(isRecorded), ...wrong.filter(one => !isRecorded(one))].slice(0, mostMinimised)
  for (const { made } of tried) {
    const { events: small } = await bugged.minimised({ ...read, events }, made)
    const text = textOf(bugged.decisionIn(made, small))
    const isMade = async (kit: Kit) => (await decided(kit, small)).some(one => one.text === text)
    if ((await isMade(bugged)) && !(await isMade(sound))) return small.filter(each => 'in' in each).length
  }
  return undefined
}

/** A decision without its place in the recording. */
function textOf(decision: object): string {
  const { at, turn, step, id, ...form } = decision as Readonly<Record<string, unknown>>
  return JSON.stringify(Object.entries(form).sort())
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
      const told = await judged(await loaded(folder, String(index), textsOf(bug)), sound)
      if (told.seed !== undefined) counts.seen++
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

async function judged(bugged: Kit, sound: Kit) {
  const one = await found(bugged, sound)
  if (!one) return { text: 'not seen', isTested: false }
  const { session, seed, recording, divergence } = one
  const inputs = await testedBy(bugged, sound, recording, divergence.event)
  const told = inputs === undefined ? '' : `, tested with ${inputs} inputs`
  return { text: `${session} ${seed}, event ${divergence.event}${told}`, seed, isTested: inputs !== undefined }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
