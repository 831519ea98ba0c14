// Everything that has to hold before a change is merged. `node test/run.mjs --only lint,unit` runs some of it, and `--write-times`
// writes the list of the slowest test files, by which a new clone starts them.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { variable as countsVariable } from './setup/counts.mjs'
import { cpuSecondsOfChildren, cpuVariable } from './setup/cpu.mjs'

const root = new URL('../', import.meta.url)
const here = path => fileURLToPath(new URL(path, root))
const bin = path => here(`node_modules/${path}`)

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    cached: { type: 'boolean', default: false },
    'write-times': { type: 'boolean', default: false },
  },
})
/** With `--cached` ESLint looks again at what has changed only: none of its rules reads another file. */
const cached = (...args) => (values.cached ? args : [])
/** TypeScript 7, which needs a fifth of the time of the one that builds the package. */
const tsc = [here('test/typescript-7/node_modules/typescript/bin/tsc'), '--singleThreaded', '--noEmit', '--project']

/** Each line is a step or several in order; on machines with several cores two lines run at a time, the slowest first. */
const checks = [
  // The package tests read what this writes.
  {
    build: [bin('rollup/dist/bin/rollup'), '--config', '--silent'],
    'build: console': [bin('vite/bin/vite.js'), 'build', '--config', 'react/console/vite.config.mjs'],
    'build: screens': ['react/example/screens.mjs', 'dist/screens'],
  },
  {
    lint: [
      bin('eslint/bin/eslint.js'),
      ...cached('--cache', '--cache-location', '.tmp/checked/'),
      '--max-warnings',
      '0',
      '.',
    ],
  },
  { 'lint: types': [bin('oxlint/bin/oxlint'), '--max-warnings', '0'] },
  { types: [...tsc, 'tsconfig.json'], 'types: sources': [...tsc, 'tsconfig.sources.json'] },
  { format: [bin('oxfmt/bin/oxfmt'), '--check', '.'] },
]
/**
 * Projects of jest.config.ts, in one run: each start of Jest takes seconds, and at the end of each run one worker waits for the
 * last file of the other.
 */
const suites = ['unit', 'react', 'react18', 'angular21', 'package', 'browser']
/** Two more than there are cores: a test in a browser waits for half of its time. */
const workers = availableParallelism() + 2
/** In megabytes. ESLint makes many objects that live for one file; with V8's own size an eighth of its time is lost. */
const youngGeneration = '--max-semi-space-size=128'

const known = [...new Set([...checks.flatMap(Object.keys).map(group), ...suites])].sort()
const wanted = values.only === undefined ? known : values.only.split(',')
const unknown = wanted.filter(name => !known.includes(name))

let passed = 0
let failed = 0
/** CPU seconds of every step and test file that has run: the run ends with the dearest. */
const costs = []
/** Of children that have ended, in seconds. */
let cpuCounted = 0

if (unknown.length > 0) {
  console.error(`--only knows ${known.join(', ')}, not ${unknown.join(', ')}`)
  failed += 1
} else {
  const { built, over } = inPairs(lines())
  await built
  const projects = suites.filter(name => wanted.includes(name))
  if (projects.length > 0) await suite(projects)
  await over
}
console.log(`${dearest()}\n`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

/** CPU time holds on a busy machine, where every step takes longer by the clock of the wall. */
function dearest() {
  const ten = costs.sort((one, other) => other.seconds - one.seconds).slice(0, 10)
  const lines = ten.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s ${name}`)
  return [`${(cpuSecondsOfChildren() / 60).toFixed(1)} minutes of CPU, of them:`, ...lines].join('\n')
}

function group(name) {
  return name.split(':')[0]
}

/** The wanted checks. */
function lines() {
  return checks.map(steps => Object.entries(steps).filter(([name]) => wanted.includes(group(name))))
}

/**
 * Works through the lines, two at a time where there are cores for it. `over` is the end of the last one; `built` comes once
 * the package is built and a core has no line left: the suites begin beside the last line, for no test depends on its speed.
 */
function inPairs(lines) {
  const left = [...lines]
  let build = Promise.resolve()
  const work = async () => {
    for (let steps = left.shift(); steps; steps = left.shift()) {
      const done = steps.reduce((before, [name, args]) => before.then(() => check(name, args)), Promise.resolve())
      if (steps.some(([name]) => group(name) === 'build')) build = done
      await done
    }
  }
  const workers = Array.from({ length: Math.min(2, availableParallelism()) }, work)
  return { built: Promise.race(workers).then(() => build), over: Promise.all(workers) }
}

/** One step, one result; what it printed is printed with it, for another one runs beside it. */
async function check(name, args) {
  const { ok, seconds, cpu, printed } = await run([youngGeneration, ...args], 'pipe')
  process.stdout.write(printed)
  costs.push({ name, seconds: cpu })
  count(name, ok ? 1 : 0, ok ? 0 : 1, `${seconds} s, ${cpu.toFixed(1)} s of CPU`)
}

/** Each test of a project is a result; a project that has no test, or whose run crashes, has a failure. */
async function suite(projects) {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-test-'))
  const outputFile = join(folder, 'results.json')
  const countsFile = join(folder, 'counts.json')
  const cpuFile = join(folder, 'cpu.txt')
  const { ok, ended, seconds, cpu } = await run(
    [
      bin('jest/bin/jest.js'),
      ...['--selectProjects', ...projects, `--maxWorkers=${workers}`, '--json', '--outputFile', outputFile],
      ...['--reporters', 'default', '--reporters', here('test/setup/counts.mjs')],
    ],
    'through',
    { [countsVariable]: countsFile, [cpuVariable]: cpuFile },
  )
  if (values['write-times']) {
    const { writeTimes } = await import('./setup/longest-first.mjs')
    writeTimes(read(outputFile).testResults)
  }
  costs.push(...costsIn(cpuFile))
  const counts = read(countsFile) ?? {}
  rmSync(folder, { recursive: true, force: true })
  const isExplained = Object.values(counts).some(({ red }) => red > 0)
  if (!ok && !isExplained) console.error(`${projects.join(', ')} ended by ${ended} without a failed test`)
  for (const name of projects) {
    const { green = 0, red = 0 } = counts[name] ?? {}
    count(name, green, red > 0 || (green > 0 && (ok || isExplained)) ? red : 1)
  }
  console.log(`${projects.join(', ')}: ${seconds} s, ${cpu.toFixed(1)} s of CPU\n`)
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** A file that runs in several projects has one cost, their sum. */
function costsIn(cpuFile) {
  const seconds = new Map()
  for (const line of existsSync(cpuFile) ? readFileSync(cpuFile, 'utf8').trim().split('\n') : []) {
    const cost = JSON.parse(line)
    const name = relative(fileURLToPath(root), cost.path)
    seconds.set(name, (seconds.get(name) ?? 0) + cost.seconds)
  }
  return [...seconds].map(([name, seconds]) => ({ name, seconds }))
}

/** `took` is for a check; the projects of one run have their time together. */
function count(name, green, red, took) {
  passed += green
  failed += red
  const time = took === undefined ? '' : `, ${took}\n`
  console.log(`${red > 0 ? 'FAILED' : 'passed'} ${name}: ${green} passed, ${red} failed${time}`)
}

/**
 * Runs Node with these arguments. What jest says on standard output is its JSON, which the file has too; its report is on
 * standard error. `pipe` keeps both outputs until the end.
 */
async function run(args, output = 'through', variables = {}) {
  const startedAt = performance.now()
  const stdio = output === 'pipe' ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'ignore', 'inherit']
  const child = spawn(process.execPath, args, { cwd: root, stdio, env: { ...process.env, ...variables } })
  let printed = ''
  let cpu = 0
  // The counter has a child's time from its end on: what is new belongs to the child that has just ended.
  child.on('exit', () => {
    cpu = cpuSecondsOfChildren() - cpuCounted
    cpuCounted += cpu
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (printed += text))
  /** An exit code, or the signal that killed it. */
  const ended = await new Promise(resolve => {
    child.on('error', error => {
      console.error(error)
      resolve(error.code)
    })
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  return { ok: ended === 0, ended, seconds: ((performance.now() - startedAt) / 1000).toFixed(1), cpu, printed }
}
