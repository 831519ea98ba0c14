// set-up who-is-asking
import { createClientApp } from 'rxauth'

const adaId = '3f6a1c52-0b9e-4d3e-8a55-2f0b1a9d7c11'
const platform = serve({ seed: { users: [{ id: adaId, email: 'ada@example.com' }] } })
const project = platform.options
const app = createClientApp({ ...project, tokens: await platform.tokensFor('ada@example.com') })
const headers = await app.authHeaders()
const request = new Request('https://app.example.com/notes', { headers })

// check in-each-framework
import { createServer } from 'node:http'

/** What a server answers to a request over HTTP. */
async function answerOf(listener: RequestListener, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/me`
  const response = await fetch(url, { method, headers })
  const cookie = response.headers.get('set-cookie') ?? ''
  const said = { status: response.status, text: await response.text(), cookie, caching: cachingOf(response.headers) }
  server.close()
  return said
}

/** What an answer tells caches. */
function cachingOf(headers: Headers): string | null {
  return headers.get('vary') === 'Cookie' && !headers.has('cdn-cache-control') ? headers.get('cache-control') : null
}

const ofNode = await answerOf(node, { ...headers })
ofNode.text === adaId // → true
const forged = await answerOf(node, { authorization: 'Bearer mine' })
forged.status // → 401

// check in-each-framework-2
await fast.ready()
const ofFastify = await answerOf((request, response) => fast.routing(request, response), { ...headers })
ofFastify.text === adaId // → true
const refusedByFastify = await answerOf((request, response) => fast.routing(request, response))
refusedByFastify.status // → 401
const headByFastify = await answerOf((request, response) => fast.routing(request, response), {}, 'HEAD')
headByFastify.status // → 401

// check own-claims
await backend.updateUserById({ userId: adaId, serverMetadata: { plan: 'gold' } })
const { plan: ofAda } = (await (await plan(request)).json()) as { plan: string }
ofAda // → gold
const ofUnknown = await plan(new Request('https://app.example.com/plan'))
ofUnknown.status // → 401

// check guests
import { memoryTokens } from 'rxauth'

const guest = createClientApp({ ...project, tokens: memoryTokens() })
await guest.signUpAnonymously()
const byGuest = new Request('https://app.example.com/', { headers: await guest.authHeaders() })
const statuses = [await notes(byGuest), await order(byGuest), await order(request)].map(({ status }) => status)
statuses // → [ 200, 401, 200 ]
await (await cart(byGuest)).json() // → { isGuest: true }
await (await cart(request)).json() // → { isGuest: false }

// check cookies-of-the-answer
const asAda = async () => ({ 'x-stack-auth': JSON.stringify((await platform.tokensFor('ada@example.com')).read()) })

const ofHono = new Hono().get('/me', async context => {
  context.header('cdn-cache-control', 'max-age=60')
  return context.text(await leave(honoTokens(context)))
})
const byHono = await ofHono.request('/me', { headers: await asAda() })
await byHono.text() // → ada@example.com
byHono.headers.get('set-cookie')?.includes('Max-Age=0') // → true
cachingOf(byHono.headers) // → private, no-store

const expressPages = express().get('/me', async (request, response) => {
  response.set('cdn-cache-control', 'max-age=60')
  response.send(await leave(nodeTokens(request, response)))
})
const byExpress = await answerOf(expressPages, await asAda())
byExpress.text // → ada@example.com
byExpress.cookie.includes('Max-Age=0; Path=/; SameSite=lax') // → true
byExpress.caching // → private, no-store

const fastifyPages = fastify()
fastifyPages.get('/me', async (request, reply) => {
  reply.header('cdn-cache-control', 'max-age=60')
  return leave(fastifyTokens(request, reply))
})
await fastifyPages.ready()
const byFastify = await answerOf((request, response) => fastifyPages.routing(request, response), await asAda())
byFastify.text // → ada@example.com
byFastify.cookie.includes('Max-Age=0; Path=/; SameSite=lax') // → true
byFastify.caching // → private, no-store
