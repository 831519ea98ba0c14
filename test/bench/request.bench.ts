// The cost of an app that is made and disposed of: of one request of a backend, and of a page, each compared with its bare kit.
import { createClientApp, createKit, memoryTokens, systemClock } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { processHash, sharedRefreshes } from '../../src/session/requests/shared-refreshes'
import { bytesEach, compareInTurn, print } from './measure'

const options = { baseUrl: 'http://localhost', projectId: 'project', publishableClientKey: 'pck_key' }
const tokens = memoryTokens({ accessToken: null, refreshToken: 'refresh' })
const server = createServerApp({ ...options, secretServerKey: 'ssk_key' })
const kit = () => createKit({ ...options, tokens })
const app = () => {
  const made = server.withTokens(tokens)
  // The read of most requests.
  if (made.user$ !== made.user$) throw new Error('a request has one store of its user')
  return made
}

const times = 100
const repeated = (make: () => { dispose(): void }) => () => {
  for (let count = 0; count < times; count++) make().dispose()
}
await compareInTurn(`${times} requests`, [
  ['a kit', repeated(kit)],
  ['withTokens', repeated(app), 1.6],
])

await compareInTurn(`${times} apps of pages`, [
  ['a kit of a page', repeated(kit)],
  ['createClientApp', repeated(() => createClientApp({ ...options, tokens })), 4],
])

const live = bytesEach(2000, count => {
  const all = Array.from({ length: count }, app)
  return {
    release() {
      for (const one of all) one.dispose()
    },
  }
})
print('memory', [{ name: 'an app of one request', value: `${live.toFixed(0)} bytes`, bytes: live, target: 10_000 }])

server.dispose()

{
  // The refreshes that a process has kept of other users, all sent by one fetch.
  const refreshAfter = async (others: number) => {
    const fetch = () =>
      Promise.resolve(Response.json({ access_token: `a.${btoa('{"sub":"user","exp":9999999999}')}.c` }))
    const shared = sharedRefreshes(() => fetch, { ...systemClock, monotonic: () => 0 }, processHash() ?? (text => text))
    let made = 0
    const refresh = () =>
      shared.attempt(undefined)(
        { fetch, clock: systemClock },
        options.baseUrl,
        { method: 'POST', body: new URLSearchParams({ refresh_token: `refresh-${made++}` }) },
        Infinity,
        undefined,
      )
    for (let count = 0; count < others; count++) await refresh()
    return async () => {
      for (let count = 0; count < times; count++) {
        await refresh()
        shared.forget(`refresh-${made - 1}`)
      }
    }
  }
  await compareInTurn(`${times} shared refreshes`, [
    ['with 10 others kept', await refreshAfter(10)],
    ['with 10,000 others kept', await refreshAfter(10_000), 1.5],
  ])
}
