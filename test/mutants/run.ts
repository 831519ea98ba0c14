// `npm run nightly -- mutants`: changes the sources in one place at a time, and counts the changes that make a test fail.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Copy, git, root } from './copy'
import { mutated, mutationsOf } from './mutations'
import { night, nights, type Mutant } from './sample'
import { scored, type Judged } from './score'

const { values } = parseArgs({
  options: {
    /** Each goes on where the one before has ended. */
    night: { type: 'string', default: '0' },
    count: { type: 'string', default: '50' },
    folder: { type: 'string', multiple: true, default: ['src', 'react'] },
    /** In percent; with less the run fails. */
    goal: { type: 'string' },
    workers: { type: 'string', default: '50%' },
    /** For one mutant; one in an endless loop is neither noticed nor survived. */
    seconds: { type: 'string', default: '900' },
  },
})

function mutants(): Mutant[] {
  const files = git('ls-files', '-z', '--', ...values.folder).filter(file =>
    // Of the example and the console a browser decides.
    /^(src|react(?!\/(?:example|console)\/))\/.*(?<!\.d|-off|-inlined)\.tsx?$/.test(file),
  )
  return files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return mutationsOf(text, file).map(mutation => ({ ...mutation, file, text }))
  })
}

/** The tests of the files' own folders, which are few and notice most. */
function near(...files: readonly string[]): readonly string[] {
  const folders = files.map(file =>
    join('test', file.startsWith('src/') ? relative('src', dirname(file)) : dirname(file)),
  )
  return ['--testPathPatterns', `/(${[...new Set(folders)].join('|')})/[^/]*$`]
}

function related(...files: readonly string[]): readonly string[] {
  return ['--findRelatedTests', ...files]
}

async function main(): Promise<void> {
  const all = mutants()
  const number = Number(values.night)
  const chosen = night(number, all, Number(values.count))
  const last = nights(all, Number(values.count))
  console.log(
    `${chosen.length} of ${all.length} mutants of ${values.folder.join(', ')}: night ${(number % last) + 1} of ${last}`,
  )
  const files = [...new Set(chosen.map(({ file }) => file))]
  const judged: Judged[] = []
  const copy = new Copy(values.workers, Number(values.seconds) * 1000)
  try {
    for (const words of [near(...files), related(...files)]) {
      const failing = await copy.failing(...words)
      if (failing.length > 0) throw new Error(`these tests fail without a change, too:\n${failing.join('\n')}`)
    }
    for (const mutant of chosen) {
      const { file, text, line, start, end, replacement } = mutant
      const outcome = await copy.with(new Map([[file, mutated(text, mutant)]]), async () => {
        const first = await copy.tests(...near(file))
        return first === 'passed' ? copy.tests(...related(file)) : first
      })
      judged.push({ file, outcome })
      const change = `${text.slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ')
      if (outcome !== 'failed')
        console.log(`${outcome === 'passed' ? 'survived' : outcome}  ${file}:${line}  ${change}`)
    }
  } finally {
    copy.dispose()
  }
  const { lines, percent } = scored(judged)
  for (const line of lines) console.log(line)
  if (values.goal !== undefined && !(percent >= Number(values.goal))) process.exitCode = 1
}

void main()
