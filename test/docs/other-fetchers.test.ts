import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { initTRPC } from '@trpc/server'
import { createHTTPHandler } from '@trpc/server/adapters/standalone'
import axios from 'axios'
import ky from 'ky'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import createClient from 'openapi-fetch'
import { createClientApp, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { blockOf } from './pasted'

const ada = 'ada@example.com'
const note = { text: 'buy tea' }

const { procedure, router } = initTRPC.create()
const notes = router({
  list: procedure.query(() => [note]),
  add: procedure.input((given: unknown) => given).mutation(({ input }) => input),
})

/** A backend that answers what it got, and refuses as many requests as `refusals` says. */
async function openBackend() {
  const seen: string[] = []
  let refusals = 0
  const trpc = createHTTPHandler({ router: notes, basePath: '/trpc/' })
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    const isRefused = refusals-- > 0
    seen.push(
      `${method} ${url.split('?')[0]} ${headers.authorization?.slice(0, 7) ?? 'signed out'}${isRefused ? ' 401' : ''}`,
    )
    if (isRefused) response.writeHead(401).end('{}')
    else if (url.startsWith('/trpc')) trpc(request, response)
    else {
      response.setHeader('content-type', 'application/json')
      const isGraph = url === '/graphql'
      const parts: string[] = []
      request.setEncoding('utf8').on('data', (part: string) => parts.push(part))
      request.on('end', () => {
        const got = parts.join('')
        response.end(isGraph ? JSON.stringify({ data: { note: note.text } }) : got || JSON.stringify([note]))
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    refuse: (count: number) => (refusals = count),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Clients {
  readonly axiosClient: ReturnType<typeof axios.create>
  readonly kyClient: typeof ky
  readonly openApiClient: {
    GET(path: string): Promise<{ data: unknown }>
    POST(path: string, options: { body: unknown }): Promise<{ data: unknown }>
  }
  readonly trpc: ReturnType<typeof createTRPCClient<typeof notes>>
  readonly apollo: ApolloClient
}

/** The clients of the guide; in Node an address is not relative to a page. */
function clientsOf(app: ClientApp, backend: string): Clients {
  const code = blockOf('docs/fetch.md', { heading: 'With other libraries', language: 'js' })
    .code.replace(/^(import|const app) .*\n/gm, '')
    .replace(/'(\/\w+)'/g, `'${backend}$1'`)
    .replace('https://api.example.com', backend)
    // ky 2 needs Node 22; the guide names both.
    .replace('prefix:', 'prefixUrl:')
  const given = {
    app,
    axios,
    ky,
    createClient,
    createTRPCClient,
    httpBatchLink,
    ApolloClient,
    HttpLink,
    InMemoryCache,
  }
  // oxlint-disable-next-line typescript/no-implied-eval -- our own guide is what is being run
  const run = new Function(
    ...Object.keys(given),
    `${code}\nreturn { axiosClient, kyClient, openApiClient, trpc, apollo }`,
  ) as (...libraries: unknown[]) => Clients
  return run(...Object.values(given))
}

describe.each<[string, path: string, (clients: Clients) => Promise<unknown>, (clients: Clients) => Promise<unknown>]>([
  [
    'axios',
    '/api/notes',
    async ({ axiosClient }) => (await axiosClient.get<unknown>('/notes')).data,
    async ({ axiosClient }) => (await axiosClient.post<unknown>('/notes', note)).data,
  ],
  [
    'ky',
    '/api/notes',
    ({ kyClient }) => kyClient.get('notes').json(),
    ({ kyClient }) => kyClient.post('notes', { json: note }).json(),
  ],
  [
    'openapi-fetch',
    '/notes',
    async ({ openApiClient }) => (await openApiClient.GET('/notes')).data,
    async ({ openApiClient }) => (await openApiClient.POST('/notes', { body: note })).data,
  ],
  ['tRPC', '/trpc/', ({ trpc }) => trpc.list.query(), ({ trpc }) => trpc.add.mutate(note)],
  [
    'Apollo',
    '/graphql',
    async ({ apollo }) => (await apollo.query({ query: gql('{ note }'), fetchPolicy: 'no-cache' })).data,
    async ({ apollo }) => (await apollo.mutate({ mutation: gql('mutation { note }') })).data,
  ],
])('app.fetch in %s', (name, path, read, write) => {
  it.each([
    ['reads', read, [note]],
    ['writes', write, note],
  ] as const)('%s with the token, also after a 401, and signed out without', async (_, ask, answer) => {
    const platform = createPlatform({ seed: { users: [{ email: ada }] } })
    const backend = await openBackend()
    const tokens = await platform.tokensFor(ada)
    const app = createClientApp({ ...platform.options, tokens, apiOrigins: [backend.url] })
    const clients = clientsOf(app, backend.url)
    const expected = name === 'Apollo' ? { note: note.text } : answer
    try {
      backend.refuse(1)
      expect(await ask(clients)).toEqual(expected)
      await app.signOut()
      expect(await ask(clients)).toEqual(expected)
      const lines = backend.seen.map(line => line.replace(/(?<=\/trpc\/)\w+/, ''))
      const method = name === 'Apollo' || ask === write ? 'POST' : 'GET'
      const sent = (end: string) => `${method} ${path} ${end}`
      expect(lines).toEqual([sent('Bearer  401'), sent('Bearer '), sent('signed out')])
    } finally {
      app.dispose()
      backend.close()
      platform.dispose()
    }
  })
})
