// `npm run nightly -- recordings`: sessions that a kit with a bug of bugs.ts has recorded are decided otherwise by the kit without it,
// and the test that `--minimise` prints of one fails with the bug and passes without it.
import { build } from 'esbuild'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bugs, patched } from './bugs'
import type { Bug } from './bugs'
import type * as recorded from './recorded'

type Kit = typeof recorded

const root = join(__dirname, '../..')
/** Node's own: jiti would compile each bundle once more. */
const load = createRequire(__filename)
/** As many of one tab, and as many of several. */
const seeds = Number(process.env['RXAUTH_SEEDS'] ?? 150)
/** With fewer bugs that recordings show, the run fails. */
const leastSeen = 20
/** A recording may have many decisions that only the kit with the bug makes. */
const mostMinimised = 3

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

/** Whether the inputs of a wrong decision, made fewest, lead to it with the bug and not without it. */
async function isTested(bugged: Kit, sound: Kit, recording: object): Promise<boolean> {
  const read = bugged.checked(recording)
  const [wrong, right] = await Promise.all([bugged, sound].map(async kit => (await kit.decisionsOf(read)).map(textOf)))
  const differing = [...new Set(wrong)].filter(text => right?.includes(text) === false)
  for (const text of differing.slice(0, mostMinimised)) {
    const isWrong = (decision: object) => textOf(decision) === text
    const small = await bugged.minimised(read, isWrong)
    if ((await bugged.decisionsOf(small)).some(isWrong) && !(await sound.decisionsOf(small)).some(isWrong)) return true
  }
  return false
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
      const told = await judged(await loaded(folder, String(index), textsOf(bug)), sound)
      if (told.seed !== undefined) counts.seen++
      if (told.isTested) counts.tested++
      console.log(`${bug.bug}: ${told.text}`)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  console.log(`${counts.seen} of ${bugs.length} bugs are seen, and ${counts.tested} have a test of the fewest inputs`)
  if (counts.seen < leastSeen) process.exitCode = 1
}

function textsOf(bug: Bug): ReadonlyMap<string, string> {
  return patched(bug, file => readFileSync(join(root, file), 'utf8'))
}

async function judged(bugged: Kit, sound: Kit) {
  const one = await found(bugged, sound)
  if (!one) return { text: 'not seen', isTested: false }
  const { session, seed, recording, divergence } = one
  const has = await isTested(bugged, sound, recording)
  const text = `${session} ${seed}, event ${divergence.event}${has ? ', tested' : ''}`
  return { text, seed, isTested: has }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
