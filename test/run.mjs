// Everything that has to hold before a change is merged. `node test/run.mjs --only lint,unit` runs some of it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = new URL('../', import.meta.url)
const bin = path => fileURLToPath(new URL(`node_modules/${path}`, root))

const checks = {
  format: [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  lint: [bin('eslint/bin/eslint.js'), '--max-warnings', '0', '.'],
  'types: sources': [bin('typescript/bin/tsc'), '--project', 'tsconfig.json'],
  'types: tests': [bin('typescript/bin/tsc'), '--project', 'test/tsconfig.json'],
  // The package tests read what this writes.
  build: [bin('rollup/dist/bin/rollup'), '--config', '--silent'],
  'build: console': [bin('vite/bin/vite.js'), 'build', '--config', 'react/console/vite.config.mjs'],
}
/** Each is a project of jest.config.ts. */
const suites = {
  unit: ['--maxWorkers=100%'],
  react: ['--maxWorkers=100%'],
  package: ['--maxWorkers=100%'],
  browser: ['--maxWorkers=100%'],
}

const known = [...new Set([...Object.keys(checks).map(group), ...Object.keys(suites)])]
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const wanted = values.only === undefined ? known : values.only.split(',')
const unknown = wanted.filter(name => !known.includes(name))

let passed = 0
let failed = 0

if (unknown.length > 0) {
  console.error(`--only knows ${known.join(', ')}, not ${unknown.join(', ')}`)
  failed += 1
} else {
  for (const [name, args] of Object.entries(checks)) if (wanted.includes(group(name))) await check(name, args)
  for (const [name, args] of Object.entries(suites)) if (wanted.includes(name)) await suite(name, args)
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

function group(name) {
  return name.split(':')[0]
}

/** One step, one result. */
async function check(name, args) {
  const { ok, seconds } = await run(args)
  count(name, ok ? 1 : 0, ok ? 0 : 1, seconds)
}

/** Each test of the suite is a result; a suite that crashes, or has no test, is a failure. */
async function suite(name, args) {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-test-'))
  const outputFile = join(folder, 'results.json')
  const { ok, seconds } = await run([
    bin('jest/bin/jest.js'),
    ...['--selectProjects', name, '--json', '--outputFile', outputFile],
    ...args,
  ])
  const { green, red, retried } = results(outputFile)
  rmSync(folder, { recursive: true, force: true })
  for (const title of retried) console.log(`passed at the second attempt only: ${title}`)
  count(name, green, red > 0 || (ok && green > 0) ? red : 1, seconds)
}

function results(outputFile) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
      readFileSync(outputFile, 'utf8'),
    )
    const retried = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => fullName)
    return { green: numPassedTests, red: numFailedTests + numRuntimeErrorTestSuites, retried }
  } catch {
    return { green: 0, red: 0, retried: [] }
  }
}

function count(name, green, red, seconds) {
  passed += green
  failed += red
  console.log(`${red > 0 ? 'FAILED' : 'passed'} ${name}: ${green} passed, ${red} failed, ${seconds} s\n`)
}

/** What jest says on standard output is its JSON, which the file has too; its report is on standard error. */
async function run(args) {
  const startedAt = performance.now()
  const output = args.includes('--json') ? 'ignore' : 'inherit'
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', output, 'inherit'] })
  const ok = await new Promise(resolve => {
    child.on('error', error => {
      console.error(error)
      resolve(false)
    })
    child.on('close', code => resolve(code === 0))
  })
  return { ok, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}
