// Measures the memory that many short lives leave; a separate program, since it needs `--expose-gc`.
// Arguments: the number of lives, and `leak` to leak on purpose. Standard output: JSON `{ name: bytes per life }`.
import { createKit, memoryTokens, ownFetch, query, requestTokens, user$ } from 'rxauth'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'

const lives = Number(process.argv[2])
const leaks = process.argv[3] === 'leak'
const kept = []
const batch = Math.min(lives, 500)

process.on('warning', warning => {
  console.error(warning.stack)
  process.exitCode = 1
})

const clock = virtualClock()
const platform = createPlatform({ clock, seed: { users: [{ email: 'ada@example.com' }] } })
const tokens = (await platform.tokensFor('ada@example.com')).read()
const headers = { get: name => (name === 'x-stack-auth' ? JSON.stringify(tokens) : null) }
const newKit = () => createKit({ ...platform.options, tokens: requestTokens({ headers }) })

const server = createServerApp(platform.serverOptions)
const app = createKit({ ...platform.options, tokens: memoryTokens() })
const note$ = query(async (_, { id }) => ({ id, text: `note ${id}`.repeat(20) }), { key: 'note', ownedBy: 'app' })
const one = new AbortController()
const apiOrigins = ['https://api.example.com']
const send = ownFetch(createKit({ ...platform.options, tokens: memoryTokens(tokens), apiOrigins }))
globalThis.fetch = async () => new Response('an answer')
// As in a browser that lacks it: the kit takes both signals' listeners away itself.
AbortSignal.any = undefined
note$(app, { id: 'kept' }).subscribe()

const scenarios = {
  'kits of a request, disposed of': async () => {
    const kit = newKit()
    await user$(kit).get()
    kit.dispose()
    return kit
  },
  'kits of a request, forgotten': async () => {
    const kit = newKit()
    await user$(kit).get()
    return kit
  },
  'apps of a request': async () => {
    const own = server.withTokens(requestTokens({ headers }))
    await Promise.all([own.user$.get(), own.ownUser$.get()])
    own.dispose()
    return own
  },
  'tokens that were verified': async () => {
    // A new text each time would only add garbage; a verification may keep what it creates.
    const verified = await server.verifyAccessToken(tokens.accessToken, {
      clockToleranceMillis: Number.MAX_SAFE_INTEGER,
    })
    return { verified }
  },
  'keys that were read once': async id => {
    const store = note$(app, { id })
    await store.get()
    return store
  },
  'keys that were watched': async id => {
    const store = note$(app, { id: `watched ${id}` })
    store.subscribe().unsubscribe()
    store.listen(() => undefined)()
    return store
  },
  'subscribers of a store that others watch on': async id => {
    const store = note$(app, { id: 'kept' })
    // Several in one life, since a single kept one has only a hundred bytes: RxJS empties it.
    const came = Array.from({ length: 5 }, () => [
      store.subscribe(() => id),
      store.snapshot$.subscribe(() => id),
    ]).flat()
    const stops = came.map(() => store.listen(() => id))
    for (const subscription of came) subscription.unsubscribe()
    for (const stop of stops) stop()
    return came
  },
  'answers of the app’s backend, read': async () => {
    const answer = await send(apiOrigins[0], { signal: one.signal })
    await answer.text()
    return answer
  },
  'answers of the app’s backend, dropped': () => send(apiOrigins[0], { signal: one.signal }),
  'calls with one signal': async id => {
    const store = note$(app, { id: id % 5 })
    await store.get({ signal: one.signal, maxAgeMillis: 0 })
    return store
  },
}

/** The memory after finalizers, which run between turns of the event loop. */
async function heap() {
  for (let times = 0; times < 3; times++) {
    globalThis.gc()
    await new Promise(done => setImmediate(done))
  }
  return process.memoryUsage().heapUsed
}

const result = {}
// The first lives fill caches of the engine and of the platform, most of all those of the first scenario.
let warmUp = leaks ? lives : 2000
for (const [name, live] of Object.entries(scenarios)) {
  let id = 0
  const run = async count => {
    for (let done = 0; done < count; done += batch) {
      const all = Promise.all(Array.from({ length: batch }, () => live(id++)))
      // Loads of one store start 300 ms apart.
      await clock.advance(6000)
      const lived = await all
      // Unwatched values are dropped after 5 s.
      await clock.advance(6000)
      // The engine gives or takes up to 200 kB in a run: 200 lives keep as much as 1,000 that leak 800 bytes each.
      if (leaks) kept.push(...lived.map(each => [each, new Array(500).fill(0)]))
    }
  }
  await run(warmUp)
  warmUp = leaks ? lives : 1000
  const before = await heap()
  await run(lives)
  result[name] = Math.round(((await heap()) - before) / lives)
}
platform.dispose()
console.log(JSON.stringify(result))
