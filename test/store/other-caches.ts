import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { Dexie, type EntityTable } from 'dexie'
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import { followIdentity, type ClientApp } from 'rxauth'

/** A cache of another library in one tab, with one row of text that the app's backend has for each person. */
export interface OtherCache {
  /** The text on the screen. */
  shown(): string | null
  /** Calls back after each change of it. */
  listen(look: () => void): void
  /** Loads the text for the signed-in user. */
  load(): Promise<unknown>
  /** What the docs say; returns a function that ends it. */
  bind(): () => void
  close(): void
  /** What it keeps of the person, beyond the screen. */
  kept?(): Promise<readonly string[]>
}

/** `app.fetch`. */
type Send = ClientApp['fetch']

export const backend = 'https://api.example.com/notes'

function tanstack(app: ClientApp, send: Send): OtherCache {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } })
  const observer = new QueryObserver<string>(queryClient, {
    queryKey: ['notes'],
    queryFn: async ({ signal }) => (await send(backend, { signal })).text(),
    enabled: false,
  })
  observer.subscribe(() => undefined)
  return {
    shown: () => observer.getCurrentResult().data ?? null,
    listen: look => void observer.subscribe(look),
    load: () => observer.refetch({ cancelRefetch: false }),
    bind: () =>
      followIdentity(app, {
        cancel: () => void queryClient.cancelQueries(),
        clear() {
          void queryClient.resetQueries()
          queryClient.getMutationCache().clear()
        },
      }),
    close: () => observer.destroy(),
  }
}

function swr(app: ClientApp, send: Send): OtherCache {
  const cache = new Map()
  const parts: { config?: ReturnType<typeof useSWRConfig> } = {}
  const looks: (() => void)[] = []
  const screen = document.createElement('p')
  const root = createRoot(screen)
  let load: () => Promise<unknown> = () => Promise.resolve()
  const Notes = () => {
    parts.config = useSWRConfig()
    useEffect(() => looks.forEach(look => look()))
    const { data, mutate } = useSWR<string>('notes', async () => (await send(backend)).text(), {
      revalidateOnMount: false,
      shouldRetryOnError: false,
      dedupingInterval: 0,
    })
    load = () => mutate()
    return data ?? ''
  }
  root.render(createElement(SWRConfig, { value: { provider: () => cache } }, createElement(Notes)))
  return {
    shown: () => screen.textContent || null,
    listen: look => void looks.push(look),
    load: () => load(),
    bind: () =>
      followIdentity(app, {
        clear() {
          if (!parts.config) return
          const { cache, mutate } = parts.config
          for (const key of [...cache.keys()]) void mutate(key, undefined).catch(() => undefined)
        },
      }),
    close: () => root.unmount(),
  }
}

function apollo(app: ClientApp, send: Send): OtherCache {
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new HttpLink({ uri: backend, fetch: send }),
  })
  const watched = client.watchQuery<{ notes: string }>({
    query: gql`
      query {
        notes
      }
    `,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  })
  return {
    shown: () => watched.getCurrentResult().data?.notes ?? null,
    listen: look => void watched.subscribe({ next: look, error: look }),
    load: () => watched.refetch(),
    bind: () =>
      followIdentity(app, {
        clear: () => client.clearStore().then(() => void client.refetchObservableQueries().catch(() => undefined)),
      }),
    close: () => client.stop(),
  }
}

function rtkQuery(app: ClientApp, send: Send): OtherCache {
  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: backend, fetchFn: send }),
    endpoints: build => ({
      notes: build.query<string, null>({ query: () => ({ url: '', responseHandler: 'text' }) }),
    }),
  })
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: getDefault => getDefault({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
  })
  return {
    shown: () => api.endpoints.notes.select(null)(store.getState()).data ?? null,
    listen: look => void store.subscribe(look),
    load: async () => store.dispatch(api.endpoints.notes.initiate(null, { forceRefetch: true })),
    bind: () => followIdentity(app, { clear: () => void store.dispatch(api.util.resetApiState()) }),
    close: () => void store.dispatch(api.util.resetApiState()),
  }
}

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

function dexie(app: ClientApp, send: Send): OtherCache {
  const open = new Map<string, Notes>()
  const notesOf = (userId: string) => {
    const db = open.get(userId) ?? new Notes(userId)
    open.set(userId, db)
    return db
  }
  const looks: (() => void)[] = []
  let onScreen: { readonly of: string; readonly text: string } | null = null
  const userId = () => {
    const auth = app.auth$.value
    return 'user' in auth ? auth.user.id : null
  }
  return {
    shown: () => (onScreen && onScreen.of === userId() ? onScreen.text : null),
    listen: look => void looks.push(look),
    async load() {
      const of = userId()
      if (of === null) return
      const text = await (await send(backend)).text()
      if (of !== userId()) return
      await notesOf(of).notes.put({ id: 1, text })
      // As the docs say: the user may have changed while the first write created the database.
      if (of !== userId()) {
        await Dexie.delete(`notes-${of}`)
        return
      }
      const row = await notesOf(of).notes.get(1)
      onScreen = row ? { of, text: row.text } : null
      for (const look of looks) look()
    },
    bind: () =>
      followIdentity(app, {
        async clear({ to }) {
          const others = (await Dexie.getDatabaseNames()).filter(name => /^notes-/.test(name) && name !== `notes-${to}`)
          await Promise.all(others.map(name => Dexie.delete(name)))
        },
      }),
    close() {
      for (const db of open.values()) db.close()
    },
    async kept() {
      const names = (await Dexie.getDatabaseNames()).filter(name => name.startsWith('notes-'))
      return names.filter(name => name !== `notes-${userId()}`)
    },
  }
}

export const otherCaches = { tanstack, swr, apollo, rtkQuery, dexie } as const
export type CacheName = keyof typeof otherCaches
