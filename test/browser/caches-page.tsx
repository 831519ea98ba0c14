import { ApolloClient, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client'
import { ApolloProvider, useQuery as useApollo } from '@apollo/client/react'
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Dexie, type EntityTable } from 'dexie'
import { Fragment, useEffect, useReducer, useState, type ReactElement, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'react-redux'
import useSWR, { useSWRConfig } from 'swr'
import { cookieTokens, createClientApp, followIdentity, ownedStorage } from 'rxauth'
import type { ClientApp, ClientOptions, FollowHooks } from 'rxauth'
import { AuthProvider, useAuth } from 'rxauth/react'

/** The app's own backend, which the test plays: it tells whose token a request has. */
export const backend = 'https://notes.example/'

export type CacheName = 'tanstack' | 'swr' | 'apollo' | 'rtkQuery' | 'dexie' | 'storage'

/** The globals of the page. */
export interface CachesPage {
  readonly app: ClientApp
  /** Loads the texts again, all at once. */
  load(): void
  /** The databases of other people than the signed-in one. */
  kept(): Promise<readonly string[]>
}

/** What a frame has shown: the text of a user, and whom the page shows as signed in. */
export interface Sight {
  readonly of: CacheName
  readonly owner: string
  /** The id of a user, or the status of `auth$`. */
  readonly person: string
}
/** Called once per page with each. */
export type Report = (sight: Sight) => void

const options = new URLSearchParams(location.search)
/** Components keep what they have shown, until they are removed. */
const keeps = options.has('keep')
const isLeftOut = (name: CacheName) => options.get('without') === name

/** The bindings of docs/other-caches.md, except the one named in the address. */
const bind = (app: ClientApp, name: CacheName, hooks: FollowHooks) =>
  isLeftOut(name) ? () => undefined : followIdentity(app, hooks)

interface Note {
  readonly id: number
  readonly text: string
}

class Notes extends Dexie {
  declare readonly notes: EntityTable<Note, 'id'>
  constructor(userId: string) {
    super(`notes-${userId}`)
    this.version(1).stores({ notes: 'id' })
  }
}

export function openPage(config: ClientOptions, report: Report): CachesPage {
  const app = createClientApp({ ...config, tokens: cookieTokens(), apiOrigins: [new URL(backend).origin] })
  // An app that loads by other means gets answers after the change of the person, which the bindings have to drop.
  const load: typeof fetch = options.has('own')
    ? app.fetch
    : async (input, init) => {
        const request = new Request(input, init)
        request.headers.set('authorization', `Bearer ${(await app.accessToken()) ?? ''}`)
        return fetch(request)
      }
  const text = async (init?: RequestInit) => (await load(backend, init)).text()
  const parts = [tanstack(app, text), swr(app, text), apollo(app, load), rtkQuery(app, load), dexie(app, text)]
  const drafts = storage(app)
  createRoot(document.body.appendChild(document.createElement('main'))).render(
    <AuthProvider app={app}>
      <Name />
      {[...parts, drafts].map(({ name, shown }) => (
        <section key={name} id={name}>
          {shown}
        </section>
      ))}
    </AuthProvider>,
  )
  watchFrames(report)
  return {
    app,
    load: () => parts.forEach(part => part.load()),
    async kept() {
      const { id = '' } = (await app.user$.get()) ?? {}
      return (await Dexie.getDatabaseNames()).filter(each => each !== `notes-${id}`)
    },
  }
}

/** The id of the user, or the status of `auth$`. */
function usePerson(): string {
  const auth = useAuth()
  return 'user' in auth ? auth.user.id : auth.status
}

function Name(): ReactElement {
  return <h1>{usePerson()}</h1>
}

/** Has components of its own for each user. */
function PerUser({ children }: { readonly children: ReactNode }): ReactElement {
  const person = usePerson()
  return <Fragment key={keeps ? person : ''}>{children}</Fragment>
}

/** Looks at each frame when it has been laid out, after the last script before it is painted. */
function watchFrames(report: Report): void {
  const probe = document.body.appendChild(document.createElement('i'))
  probe.style.cssText = 'position:fixed;display:block;height:1px;width:1px'
  let frames = 0
  const told = new Set<string>()
  const look = () => {
    document.body.dataset['frames'] = String(frames)
    const person = document.querySelector('h1')?.textContent
    if (!person || person === 'unknown') return
    for (const { id, textContent } of document.querySelectorAll('section')) {
      const [, owner] = /notes of (\S+)/.exec(textContent) ?? []
      const sight = `${id} ${owner} ${person}`
      if (!owner || owner === 'visitor' || told.has(sight)) continue
      told.add(sight)
      report({ of: id as CacheName, owner, person })
    }
  }
  new ResizeObserver(look).observe(probe)
  const next = () => {
    // Its size differs in each frame, so that the observer is called in each.
    probe.style.width = `${1 + (++frames % 2)}px`
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}

interface Part {
  readonly name: CacheName
  readonly shown: ReactNode
  load(): void
}
type Load = (init?: RequestInit) => Promise<string>

function tanstack(app: ClientApp, text: Load): Part {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  bind(app, 'tanstack', {
    cancel: () => void queryClient.cancelQueries(),
    clear() {
      void queryClient.resetQueries()
      queryClient.getMutationCache().clear()
    },
  })
  const Shown = () => {
    const placeholderData = (previous?: string) => (keeps ? keepPreviousData(previous) : undefined)
    const person = usePerson()
    const queryKey = ['notes', keeps ? person : '']
    return <>{useQuery<string>({ queryKey, queryFn: ({ signal }) => text({ signal }), placeholderData }).data}</>
  }
  const shown = (
    <QueryClientProvider client={queryClient}>
      <PerUser>
        <Shown />
      </PerUser>
    </QueryClientProvider>
  )
  return { name: 'tanstack', shown, load: () => void queryClient.refetchQueries() }
}

function swr(app: ClientApp, text: Load): Part {
  let load = () => {}
  const FollowIdentity = () => {
    const { cache, mutate } = useSWRConfig()
    useEffect(() => {
      const clear = () => {
        for (const key of [...cache.keys()]) mutate(key, undefined).catch(() => undefined)
      }
      return bind(app, 'swr', { clear })
    }, [cache, mutate])
    return null
  }
  const Shown = () => {
    const { data, mutate } = useSWR('notes', () => text(), {
      shouldRetryOnError: false,
      dedupingInterval: 0,
      keepPreviousData: keeps,
    })
    useEffect(() => {
      load = () => void mutate().catch(() => undefined)
    }, [mutate])
    return <>{data}</>
  }
  const shown = (
    <>
      <FollowIdentity />
      <PerUser>
        <Shown />
      </PerUser>
    </>
  )
  return { name: 'swr', shown, load: () => load() }
}

function apollo(app: ClientApp, load: typeof fetch): Part {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: backend, fetch: load }),
  })
  bind(app, 'apollo', {
    async clear() {
      await client.clearStore()
      client.refetchObservableQueries().catch(() => undefined)
    },
  })
  const notes: TypedDocumentNode<{ notes: string }> = gql`
    query {
      notes
    }
  `
  const Shown = () => <>{useApollo(notes).data?.notes}</>
  const shown = (
    <ApolloProvider client={client}>
      <Shown />
    </ApolloProvider>
  )
  return { name: 'apollo', shown, load: () => void client.refetchObservableQueries().catch(() => undefined) }
}

function rtkQuery(app: ClientApp, load: typeof fetch): Part {
  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: backend, fetchFn: load }),
    endpoints: build => ({
      notes: build.query<string, string>({ query: () => ({ url: '', responseHandler: 'text' }) }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: getDefault => getDefault().concat(api.middleware),
  })
  bind(app, 'rtkQuery', { clear: () => void store.dispatch(api.util.resetApiState()) })
  let refresh = () => {}
  const Shown = () => {
    const person = usePerson()
    const { data, refetch } = api.useNotesQuery(keeps ? person : '')
    useEffect(() => {
      refresh = () => void refetch()
    }, [refetch])
    return <>{data}</>
  }
  const shown = (
    <Provider store={store}>
      <PerUser>
        <Shown />
      </PerUser>
    </Provider>
  )
  return { name: 'rtkQuery', shown, load: () => refresh() }
}

function dexie(app: ClientApp, text: Load): Part {
  bind(app, 'dexie', {
    async clear({ to }) {
      const others = (await Dexie.getDatabaseNames()).filter(
        name => name.startsWith('notes-') && name !== `notes-${to}`,
      )
      await Promise.all(others.map(name => Dexie.delete(name)))
    },
  })
  const looks = new Set<() => void>()
  const Shown = ({ userId }: { readonly userId: string }) => {
    const [note, setNote] = useState<string>()
    useEffect(() => {
      const db = new Notes(userId)
      let isOver = false
      const show = async () => {
        const row = await db.notes.get(1)
        if (!isOver) setNote(row?.text)
      }
      const load = async () => {
        await show()
        const now = await text()
        // An answer for another person is not this one's.
        if (isOver || !now.includes(userId)) return
        await db.notes.put({ id: 1, text: now })
        await show()
      }
      const look = () => void load().catch(() => undefined)
      looks.add(look)
      look()
      return () => {
        isOver = true
        looks.delete(look)
        db.close()
      }
    }, [userId])
    return <>{note}</>
  }
  const OfUser = () => {
    const auth = useAuth()
    return 'user' in auth ? <Shown key={auth.user.id} userId={auth.user.id} /> : null
  }
  return { name: 'dexie', shown: <OfUser />, load: () => looks.forEach(look => look()) }
}

function storage(app: ClientApp): Part {
  const drafts = isLeftOut('storage') ? localStorage : ownedStorage(app)
  const Shown = () => {
    const auth = useAuth()
    const [, showAgain] = useReducer((times: number) => times + 1, 0)
    useEffect(() => {
      // The effect may run after a sign-out.
      if (!('user' in auth) || app.auth$.value !== auth) return
      drafts.setItem('note', `notes of ${auth.user.id}`)
      showAgain()
    }, [auth])
    return <>{drafts.getItem('note')}</>
  }
  return { name: 'storage', shown: <Shown />, load: () => undefined }
}
