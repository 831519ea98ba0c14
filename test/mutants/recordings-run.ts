// `npm run nightly -- recordings`: sessions that a kit with a bug of bugs.ts has recorded are decided otherwise by the kit without it,
// and the test that `--minimise` prints of one fails with the bug and passes without it. What follows are numbers or words of bugs.
import { build } from 'esbuild'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs, patched, type Bug } from './bugs'
import type { MadeDecision } from '../../src/replay/player'
import type * as recorded from './recorded'

type Kit = typeof recorded

const root = join(__dirname, '../..')
/** Node's own: jiti would compile each bundle once more. */
const load = createRequire(__filename)
/** As many of one tab, and as many of several. */
const seeds = Number(process.env['RXAUTH_SEEDS'] ?? 150)
/** With fewer bugs that recordings show, or that a minimised test shows, the run of all bugs fails. */
const least = { seen: 20, tested: 20 }
/** A recording may have many decisions that only one of the kits makes. */
const mostMinimised = 6
/** Of a bug, as many sessions are minimised. */
const mostSessions = 3

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

/** A decision that one of two kits makes, and the other one does not. */
interface Difference {
  readonly made: MadeDecision
  readonly makes: Kit
  readonly lacks: Kit
}

/**
 * A test that fails with the bug and passes without it: the fewest inputs that lead to a decision which only one of the two kits makes.
 * It forbids a decision of the kit with the bug, or demands one of the kit without it. The inputs are found with one kit, as
 * `--minimise` finds them, or if these lead both kits to it, with the other one too. Undefined: none of these tests is such a one.
 */
async function testedBy(bugged: Kit, sound: Kit, { recording, event }: Found) {
  const { events, ...read } = bugged.checked(recording)
  const decided = async (kit: Kit, some: typeof events) =>
    (await kit.decisionsOf({ ...read, events: some })).map(made => ({ made, text: textOf(kit.decisionIn(made, some)) }))
  const onlyOf = async (makes: Kit, lacks: Kit): Promise<readonly Difference[]> => {
    const others = new Set((await decided(lacks, events)).map(({ text }) => text))
    return (await decided(makes, events)).flatMap(({ made, text }) => (others.has(text) ? [] : { made, makes, lacks }))
  }
  const [wrong, right] = [await onlyOf(bugged, sound), await onlyOf(sound, bugged)]
  const recorded = textOf(events[event] ?? {})
  const isRecorded = ({ made }: Difference) => textOf(made.decision) === recorded
  // The recorded one at the divergence is tried first.
  const differences = [
    ...[...wrong.filter(isRecorded), ...wrong.filter(one => !isRecorded(one))].slice(0, mostMinimised),
    ...right.slice(0, mostMinimised),
  ]
  for (const isOfBoth of [false, true])
    for (const { made, makes, lacks } of differences) {
      const isMade = async (kit: Kit, some: typeof events) => {
        const text = textOf(kit.decisionIn(made, some))
        return (await decided(kit, some)).some(one => one.text === text)
      }
      const isLacking = isOfBoth ? async (some: typeof events) => !(await isMade(lacks, some)) : undefined
      const { events: small } = await makes.minimised({ ...read, events }, made, isLacking)
      if (!(await isMade(makes, small)) || (await isMade(lacks, small))) continue
      const count = small.filter(each => 'in' in each).length
      const kind = `${makes === bugged ? 'forbids' : 'demands'} ${made.decision.did}`
      return `${kind}, ${count} inputs${isOfBoth ? ' by both kits' : ''}`
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

async function judged(bugged: Kit, sound: Kit) {
  const seen: string[] = []
  for await (const one of found(bugged, sound)) {
    seen.push(`${one.name}, event ${one.event}`)
    const test = await testedBy(bugged, sound, one)
    if (test !== undefined) return { text: `${seen.at(-1)}: ${test}`, isSeen: true, isTested: true }
    if (seen.length === mostSessions) break
  }
  return { text: seen.join('; ') || 'not seen', isSeen: seen.length > 0, isTested: false }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
