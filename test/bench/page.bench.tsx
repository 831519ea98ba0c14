// A page that a server renders with 48 KB of its user's data: writing the state, and rendering with it, also beside react-query.
import {
  dehydrate as dehydrateClient,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query'
import type { DehydratedState } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { createClientApp, dehydrate, query, type Dehydrated } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { AuthProvider, useUser, useValue } from 'rxauth/react'
import { compareInTurn } from './measure'

// React runs in production mode; the local platform does not run there.
process.env['NODE_ENV'] = 'test'
const email = 'ada@example.com'
const teams = Array.from({ length: 178 }, (_, index) => ({ displayName: `Team ${index}`, members: [{ email }] }))
const platform = createPlatform({ seed: { users: [{ email, displayName: 'Ada' }], teams } })
const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor(email) })

/** Of the app alone: many small parts, and no schema. */
const notes$ = query(() => Promise.resolve(notes), { key: 'notes', ownedBy: 'session', signedOut: [] })(app)
const notes = teams.map((_, index) => ({
  id: index,
  createdAt: new Date(1_700_000_000_000 + index * 60_000),
  isDone: index % 3 === 0,
  tags: ['blue', 'round'],
  owner: { name: 'Ada', team: null },
}))
const count$ = app.derive(read => read(app.teams$).length)
const stores = [app.user$, app.teams$, notes$, count$]
const state = await dehydrate(app, stores)
const text = JSON.stringify(state)
process.stdout.write(`  a state of ${(text.length / 1000).toFixed(0)} KB\n`)

const Page = () => (
  <p>
    {useUser()?.displayName} {useValue(notes$).length} {useValue(count$)} {useValue(app.teams$).length}
  </p>
)
const render = (given: Dehydrated) =>
  renderToString(
    <AuthProvider app={app} state={given}>
      <Page />
    </AuthProvider>,
  )

const copies: Dehydrated[] = []
await compareInTurn('a page', [
  ['JSON.stringify and parse', () => void copies.push(JSON.parse(JSON.stringify(state)) as Dehydrated)],
  // Each object of the copy is frozen, which `remember` needs and raw JSON does not do: 0.79 to 0.88 on shared machines.
  ['dehydrate', () => dehydrate(app, stores), 0.9],
  ['dehydrate, and render with that', async () => render(await dehydrate(app, stores))],
  ['render with a copy', () => render(copies.pop()!), 0.9],
])

// The same values in the cache of react-query. Its dates are texts, as an API answers them: it makes no Date of one.
const client = new QueryClient()
for (const [key, value] of Object.entries({ user: await app.user$.get(), teams: await app.teams$.get(), notes }))
  client.setQueryData([key], JSON.parse(JSON.stringify(value)))
const theirText = JSON.stringify(dehydrateClient(client))

/** A query of the peer's page, which finds its value in the state. */
function usePeer<T, V = T>(key: string, select?: (value: T) => V): V | undefined {
  return useQuery<T, Error, V>({
    queryKey: [key],
    queryFn: () => Promise.reject(new Error(`${key} is not in the state`)),
    ...(select && { select }),
  }).data
}

const PeerPage = () => (
  <p>
    {usePeer<{ displayName: string }>('user')?.displayName} {usePeer<unknown[]>('notes')?.length}{' '}
    {usePeer('teams', (all: unknown[]) => all.length)} {usePeer<unknown[]>('teams')?.length}
  </p>
)
const renderPeer = (given: DehydratedState) =>
  renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <HydrationBoundary state={given}>
        <PeerPage />
      </HydrationBoundary>
    </QueryClientProvider>,
  )
const [ourPage, theirPage] = [
  render(JSON.parse(text) as Dehydrated),
  renderPeer(JSON.parse(theirText) as DehydratedState),
]
if (ourPage !== theirPage) throw new Error(`the pages differ: ${ourPage}, ${theirPage}`)

const theirRender = 'react-query: parse and render'
await compareInTurn('the same page with react-query', [
  ['react-query: dehydrate and stringify', () => void JSON.stringify(dehydrateClient(client))],
  // A copy that is frozen, from which this process renders without decoding it; the peer hands out its own objects.
  ['dehydrate and stringify', async () => void JSON.stringify(await dehydrate(app, stores)), 3.2],
  [theirRender, () => renderPeer(JSON.parse(theirText) as DehydratedState)],
  ['parse and render', () => render(JSON.parse(text) as Dehydrated), 1.5, theirRender],
])

app.dispose()
