// The first half of `npm start`: builds the kit, then the console and the page, and prints how far it is.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [pageFolder] = process.argv.slice(2)

const began = performance.now()
try {
  console.log('rxauth example: building, in three steps')
  await step('the kit', () => run('rollup', ['--config', '--silent']))
  // Both need the kit's build only.
  await Promise.all([
    step('the console', () =>
      run('vite', ['build', '--config', 'react/console/vite.config.mjs', '--logLevel', 'warn']),
    ),
    step('the page', () => run('node', ['react/example/server/build-page.mjs', pageFolder])),
  ])
  console.log(`  built in ${seconds(began)}\n`)
} catch (error) {
  console.error(`rxauth example: ${error.message}`)
  process.exitCode = 1
}

/** Prints a line at the start, at the end, and every 10 s between. */
async function step(name, work) {
  const since = performance.now()
  console.log(`  ${name} …`)
  const progress = setInterval(() => console.log(`  ${name} … ${seconds(since)}`), 10_000)
  try {
    await work()
    console.log(`  ${name}: done in ${seconds(since)}`)
  } finally {
    clearInterval(progress)
  }
}

function seconds(since) {
  return `${Math.round((performance.now() - since) / 1000)} s`
}

/** Runs a program of the repository; on Windows they are scripts that need a shell. */
function run(program, options) {
  const child = spawn(program, options, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      if (code === 0) resolve()
      else reject(new Error(`\`${[program, ...options].join(' ')}\` ended with exit code ${code}`))
    })
  })
}
