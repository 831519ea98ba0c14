// The cost for a backend of an app per request, compared with its bare kit.
import { createKit, memoryTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
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
  { name: 'a kit', run: repeated(kit) },
  { name: 'withTokens', run: repeated(app), against: 'a kit', target: 1.6 },
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
