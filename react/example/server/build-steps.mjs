import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The inputs from which each step was built last, and when. */
const recordFile = join(root, 'node_modules/.cache/rxauth-start.json')

const settings = ['rollup.config.mjs', 'notices.mjs', 'package.json', 'package-lock.json', 'tsconfig.json']

/** The kit without its declarations and Jest's files, which no page needs: the browser's build and Node's at the same time. */
export const kit = {
  title: 'the kit',
  inputs: ['src', 'react', ...settings],
  outputs: ['dist/index.js', 'dist/node/platform.js'],
  work: () =>
    Promise.all(['modules', 'node'].map(part => run('rollup', ['--config', '--silent', '--configParts', part]))),
}

/** The steps of the console and the page, which need the kit's build. */
export const pagesIn = folder => [
  {
    title: 'the console',
    inputs: kit.inputs,
    outputs: ['dist/console/index.html'],
    work: () => run('vite', ['build', '--config', 'react/console/vite.config.mjs', '--logLevel', 'warn']),
  },
  {
    title: 'the page',
    inputs: kit.inputs,
    outputs: [join(folder, 'index.html')],
    work: () => run('node', ['react/example/server/build-page.mjs', folder]),
  },
]

/** Does the step, unless its outputs are those of the present inputs. Prints a line at the start, at the end, and every 10 s. */
export async function build({ title, inputs, outputs, work }) {
  const from = hashOf(inputs)
  if (record()[title] === stampOf(from, outputs)) return console.log(`  ${title}: unchanged`)
  const since = performance.now()
  const seconds = () => `${Math.round((performance.now() - since) / 1000)} s`
  console.log(`  ${title} …`)
  const progress = setInterval(() => console.log(`  ${title} … ${seconds()}`), 10_000)
  try {
    await work()
    mkdirSync(join(recordFile, '..'), { recursive: true })
    writeFileSync(recordFile, JSON.stringify({ ...record(), [title]: stampOf(from, outputs) }))
    console.log(`  ${title}: done in ${seconds()}`)
  } finally {
    clearInterval(progress)
  }
}

function record() {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Another build of the outputs, and one that is gone, have another stamp. */
function stampOf(from, outputs) {
  const times = outputs.map(path => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs)
  return [process.env.NODE_ENV, process.version, from, ...times].join(' ')
}

function hashOf(paths) {
  const hash = createHash('sha256')
  const files = paths.flatMap(path =>
    statSync(join(root, path)).isFile()
      ? [path]
      : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => join(entry.parentPath ?? entry.path, entry.name)),
  )
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file.replace(root, ''))))
  return hash.digest('base64')
}

/** Runs a program of the repository; on Windows they are scripts that need a shell. */
async function run(program, options) {
  const child = spawn(program, options, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`\`${[program, ...options].join(' ')}\` ended with exit code ${code}`)
}
