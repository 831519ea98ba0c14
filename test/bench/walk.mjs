// `npm run nightly -- walk`: the files and functions of the built kit that one change of a display name, and one more subscriber, run through.
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'
import { createClientApp, memoryTokens } from '../../dist/index.js'
import { createPlatform } from '../../dist/platform.js'

const dist = new URL('../../dist/', import.meta.url).href
const password = 'correct horse battery staple'
const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada', password }] } })
const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
const profiler = new Session()
profiler.connect()
await profiler.post('Profiler.enable')

/** The functions that ran, as "file function". A function without a name counts as well. */
async function ran(run) {
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await run()
  const { result } = await profiler.post('Profiler.takePreciseCoverage')
  await profiler.post('Profiler.stopPreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(dist) && !/\/dist\/(platform|node_modules|_virtual)/.test(url))
    .flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [whole] }) => whole.count > 0)
        .map(({ functionName, ranges: [whole] }) => ({
          file: fileURLToPath(url).slice(fileURLToPath(dist).length),
          name: functionName || `(at ${whole.startOffset})`,
        })),
    )
}

function show(title, calls) {
  const files = new Map()
  for (const { file, name } of calls) files.set(file, [...(files.get(file) ?? []), name])
  process.stdout.write(`\n${title}: ${files.size} files, ${calls.length} functions\n`)
  for (const [file, names] of files) process.stdout.write(`  ${file}: ${names.join(', ')}\n`)
}

await app.signInWithPassword({ email: 'ada@example.com', password })
const user$ = app.user$
let told = () => undefined
user$.subscribe(user => told(user?.displayName))
await user$.get()

let updated
// The write is captured asynchronously: up to the first subscriber, which sees the overlay.
const update = await ran(
  () =>
    new Promise(resolve => {
      told = name => name === 'Grace' && resolve()
      updated = app.updateUser({ displayName: 'Grace' })
    }),
)
await updated
told = () => undefined
show('an update, until the first subscriber is told', update)

let second
show('one more subscriber of the same store', await ran(() => void (second = user$.subscribe())))
second.unsubscribe()
app.dispose()
profiler.disconnect()
