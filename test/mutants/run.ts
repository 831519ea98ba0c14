// `npm run nightly -- mutants`: changes the sources in one place at a time, and counts the changes that make a test fail.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/clock'
import { mutated, mutationsOf } from './mutations'
import { picked } from './sample'
import type { Mutant } from './sample'

const root = join(__dirname, '../..')
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '50' },
    folder: { type: 'string', multiple: true, default: ['src', 'react'] },
    /** In percent; with less the run fails. */
    goal: { type: 'string' },
    workers: { type: 'string', default: '50%' },
    /** For one mutant; one in an endless loop counts as noticed. */
    seconds: { type: 'string', default: '900' },
  },
})

function git(...words: string[]): string[] {
  return spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(Boolean)
}

function sample(): Mutant[] {
  const files = git('ls-files', '-z', '--', ...values.folder).filter(file =>
    // Of the example and the console a browser decides.
    /^(src|react(?!\/(?:example|console)\/))\/.*(?<!\.d|-off|-inlined)\.tsx?$/.test(file),
  )
  const all = files.flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return mutationsOf(text, file).map(mutation => ({ ...mutation, file, text }))
  })
  return picked(all, Number(values.count), Number(values.seed))
}

/** Whether these tests fail in the copy, or time out. */
function fails(copy: string, words: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const jest = join(root, 'node_modules/jest/bin/jest.js')
    const flags = ['--selectProjects', 'unit', 'react', '--bail', '--silent', `--maxWorkers=${values.workers}`]
    const child = spawn(process.execPath, [jest, ...flags, ...words], { cwd: copy, detached: true, stdio: 'ignore' })
    const cancel = systemClock.setTimeout(
      () => {
        console.log(`out of time after ${values.seconds} s: jest ${words.join(' ')}`)
        // Ends jest's workers too: one in an endless loop would outlive jest.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      },
      Number(values.seconds) * 1000,
    )
    child.on('exit', code => {
      cancel()
      resolve(code !== 0)
    })
  })
}

/** The tests of the mutant's own folder first, which are few and notice most. */
async function isNoticed(copy: string, { file }: Mutant): Promise<boolean> {
  return (await fails(copy, near(file))) || (await fails(copy, ['--passWithNoTests', '--findRelatedTests', file]))
}

function near(file: string): readonly string[] {
  const folder = join('test', file.startsWith('src/') ? relative('src', dirname(file)) : dirname(file))
  return ['--passWithNoTests', '--testPathPatterns', `/${folder}/[^/]*$`]
}

function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/')
}

async function main(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'rxauth-mutants-'))
  const scores = new Map<string, { caught: number; all: number }>()
  try {
    for (const file of git('ls-files', '-z')) cpSync(join(root, file), join(copy, file))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const mutants = sample()
    // Tests that fail without a mutant would count each one as noticed.
    for (const words of new Map(mutants.map(({ file }) => [dirname(file), near(file)])).values())
      if (await fails(copy, words)) throw new Error(`the tests fail without a mutant, too: jest ${words.join(' ')}`)
    console.log(`${mutants.length} mutants of ${values.folder.join(', ')}, seed ${values.seed}`)
    for (const mutant of mutants) {
      const { file, text, line, start, end, replacement } = mutant
      writeFileSync(join(copy, file), mutated(text, mutant))
      const isCaught = await isNoticed(copy, mutant)
      writeFileSync(join(copy, file), text)
      const score = scores.get(folderOf(file)) ?? { caught: 0, all: 0 }
      scores.set(folderOf(file), { caught: score.caught + Number(isCaught), all: score.all + 1 })
      const change = `${text.slice(start, end)} → ${replacement}`.replace(/\s+/g, ' ')
      if (!isCaught) console.log(`survived  ${file}:${line}  ${change}`)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  for (const [folder, { caught, all }] of [...scores].sort()) console.log(`${folder}  ${caught} of ${all}`)
  const totals = [...scores.values()]
  const percent =
    (100 * totals.reduce((sum, { caught }) => sum + caught, 0)) / totals.reduce((sum, { all }) => sum + all, 0)
  console.log(`${percent.toFixed(1)} % noticed`)
  if (values.goal !== undefined && !(percent >= Number(values.goal))) process.exitCode = 1
}

void main()
