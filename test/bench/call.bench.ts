// A call of a signed-in kit on a stub fetch, compared with the same request written by hand.
import { createKit, endpoint, memoryTokens, mutation } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { call } from '../../src/transport/call'
import { accessTokenText } from '../session/access-token-text'
import { compareInTurn } from './measure'

const now = Math.floor(Date.now() / 1000)
const accessToken = accessTokenText({
  sub: crypto.randomUUID(),
  refreshTokenId: crypto.randomUUID(),
  iss: 'https://api.example.com/api/v1/projects/project',
  role: 'authenticated',
  iat: now,
  exp: now + 3600,
})
const refreshToken = 'r'.repeat(45)
const options = { baseUrl: 'https://api.example.com', projectId: 'project', publishableClientKey: 'pck_key' }
const json = JSON.stringify({ success: true })
const fetch: typeof globalThis.fetch = () =>
  Promise.resolve(new Response(json, { headers: { 'content-type': 'application/json' } }))

const kit = createKit({ ...options, fetch, tokens: memoryTokens({ accessToken, refreshToken }) })
const { session, transport } = coreOf(kit)
const declared = endpoint('POST /ping', { access: 'client' })
const ping = mutation(declared, { refreshes: () => [] })
const times = 100

const repeated = (run: () => Promise<unknown>) => async () => {
  for (let count = 0; count < times; count++) await run()
}

await compareInTurn(`${times} calls on a stub fetch, one after the other`, [
  [
    'a fetch by hand',
    repeated(async () => {
      const headers = {
        'content-type': 'application/json',
        'x-stack-project-id': options.projectId,
        'x-stack-access-type': 'client',
        'x-stack-publishable-client-key': options.publishableClientKey,
        'x-stack-access-token': accessToken,
        'x-stack-refresh-token': refreshToken,
      }
      const response = await fetch(`${options.baseUrl}/api/v1/ping`, { method: 'POST', headers, body: '{}' })
      await response.json()
    }),
  ],
  ['a call', repeated(async () => call(transport, declared, {}, { owner: (await session.capture()).owner })), 3.5],
  ['a write', repeated(() => ping(kit)), 4.5],
])
kit.dispose()
