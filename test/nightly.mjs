// `npm run nightly -- NAME`: what takes too long for every change. What follows the name is passed on. `all` runs several
// at a time, each of which prints into a file of `artifacts`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variable as countsVariable } from './setup/counts.mjs'

const jest = (env, test) => ({ program: 'jest', options: ['--selectProjects', 'unit', '--', test], env })
const script = (program, file, isBuilt = true) => ({ program, options: [file], isBuilt })

const ofScreens = ['methods', 'settings', 'teams', 'invitations', 'access', 'copied'].map(
  name => `test/browser/${name}.test`,
)

/** The longest first: `all` begins them in this order. It repeats what is by chance less often, or it would take a day (`envInAll`). */
const runs = {
  // The tests that `npm test` runs in part.
  long: {
    program: 'jest',
    options: ['--findRelatedTests', 'test/runs.ts', `--maxWorkers=${availableParallelism()}`],
    env: { RXAUTH_LONG: '1' },
    // A thousand rounds of each app are hours.
    envInAll: { RXAUTH_ROUNDS: '50' },
    isBuilt: true,
  },
  explore: { ...jest({ RXAUTH_SEEDS: '2000' }, 'test/store/explore-caches'), envInAll: { RXAUTH_SEEDS: '200' } },
  bugs: script('jiti', 'test/mutants/bugs-run.ts', false),
  simulate: jest({ RXAUTH_SEEDS: process.env.RXAUTH_SEEDS ?? '20000' }, 'test/simulator'),
  recordings: script('jiti', 'test/mutants/recordings-run.ts', false),
  sleep: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/sleep'],
    env: { RXAUTH_LONG: '1', RXAUTH_REPEATS: process.env.RXAUTH_REPEATS ?? '100' },
    envInAll: { RXAUTH_REPEATS: '2' },
    isBuilt: true,
  },
  record: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/record'],
    env: { RXAUTH_RECORDED: process.env.RXAUTH_RECORDED ?? '200' },
    envInAll: { RXAUTH_RECORDED: '20' },
    isBuilt: true,
  },
  // Fetches the runtimes from npm.
  everywhere: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', 'test/browser/everywhere'],
    env: { RXAUTH_EVERYWHERE: '1' },
    isBuilt: true,
  },
  // Copies of the screens in a new app, through the rows of the example that are about its screens.
  screens: {
    program: 'jest',
    options: ['--selectProjects', 'browser', '--', ...ofScreens],
    env: { RXAUTH_SCREENS: 'copied', RXAUTH_LONG: '1' },
    isBuilt: true,
  },
  'react-18': { program: 'jest', options: ['--selectProjects', 'react18'], env: { RXAUTH_LONG: '1' } },
  crash: script('node', 'test/crash/rounds.mjs'),
  fuzz: jest({ RXAUTH_FUZZ: '50000' }, 'test/platform/fuzz'),
  model: script('jiti', 'test/model/nightly.ts', false),
  'first-hour': script('jiti', 'test/first-hour/first-hour.ts'),
  lint: { program: 'eslint', options: ['--max-warnings', '0', '.'], env: { RXAUTH_LONG: '1' }, isBuilt: false },
  mutants: script('jiti', 'test/mutants/run.ts', false),
  walk: script('node', 'test/bench/walk.mjs'),
}

/** The names that `all` stands for: `mutants` takes six hours of a quiet machine, and `walk` proves nothing. */
const all = Object.keys(runs).filter(name => !['mutants', 'walk'].includes(name))
const counter = fileURLToPath(new URL('setup/counts.mjs', import.meta.url))

const [name, ...more] = process.argv.slice(2)
if (name !== 'all' && !Object.hasOwn(runs, name)) {
  const names = Object.keys(runs).join(', ')
  console.error(`npm run nightly -- NAME: "${name ?? ''}" is none of ${names}; all is ${all.join(', ')}`)
  process.exit(1)
}
const isAll = name === 'all'
const wanted = isAll ? all : [name]
if (wanted.some(each => runs[each].isBuilt) && !(await ran('npm', ['run', 'build']))) process.exit(1)

const printed = fileURLToPath(new URL('../artifacts/nightly/', import.meta.url))
if (isAll) mkdirSync(printed, { recursive: true })
/** Two for each core: `long` and `explore` wait most of their time, for servers and for timers. */
const atOnce = 2 * availableParallelism()
const counts = []
const left = [...wanted]
await Promise.all(Array.from({ length: atOnce }, work))
const sum = color => counts.reduce((total, count) => total + count[color], 0)
const broken = counts.filter(({ red }) => red > 0).map(({ each }) => each)
console.log(`${sum('green')} passed, ${sum('red')} failed${broken.length > 0 ? `: ${broken.join(', ')}` : ''}`)
process.exitCode = broken.length > 0 ? 1 : 0

async function work() {
  for (let each = left.shift(); each; each = left.shift()) {
    const began = performance.now()
    const file = join(printed, `${each}.txt`)
    const { env, envInAll, ...run } = runs[each]
    const { green, red } = await (isAll
      ? countsOf({ ...run, env: { ...env, ...envInAll } }, openSync(file, 'w'))
      : countsOf({ ...run, env }, 'inherit'))
    const minutes = Math.ceil((performance.now() - began) / 60_000)
    const where = red > 0 && isAll ? `, see ${file}` : ''
    console.log(`${each}: ${green} passed, ${red} failed, ${minutes} min${where}`)
    counts.push({ each, green, red })
  }
}

/** The tests of Jest that have passed and failed; a script is one, and so is a run of Jest that breaks. */
async function countsOf({ program, options, env }, output) {
  if (program !== 'jest')
    return (await ran(program, [...options, ...more], env, output)) ? { green: 1, red: 0 } : { green: 0, red: 1 }
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-nightly-'))
  const file = join(folder, 'counts.json')
  try {
    // Jest takes what follows its `--` for names of files.
    const given = ['--reporters', 'default', '--reporters', counter, ...more, ...options]
    const isGood = await ran(program, given, { ...env, [countsVariable]: file }, output)
    const projects = Object.values(JSON.parse(readFileSync(file, 'utf8')))
    const [green, red] = ['green', 'red'].map(color => projects.reduce((total, each) => total + each[color], 0))
    return { green, red: isGood ? red : Math.max(red, 1) }
  } catch {
    return { green: 0, red: 1 }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whether the program ends well. On Windows the programs are scripts that need a shell. */
async function ran(command, given, variables, output = 'inherit') {
  const child = spawn(command, given, {
    stdio: ['inherit', output, output],
    env: { ...process.env, ...variables },
    shell: process.platform === 'win32',
  })
  const [status] = await once(child, 'exit')
  return status === 0
}
