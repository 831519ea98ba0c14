import { changes, createServerApp, type ChangesOptions } from 'rxauth/server'
import { waitForSignatures } from '../../kit/server-world'
import { ada, grace, world } from '../../world'

export const eve = { email: 'eve@example.com', password: 'correct horse', displayName: 'Eve' }
export const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'

/** A page that reads the stream: its events, the ids of the stream, and how it ended. */
export class Page {
  readonly events: { readonly type: string; readonly data: Readonly<Record<string, string>> }[] = []
  lastId = ''
  end: 'open' | 'ended' | 'failed' = 'open'
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(response: Response, isRead: boolean) {
    this.response = response
    this.#reader = response.body?.getReader()
    if (isRead) void this.read()
  }

  /** The types of the events since the last call. */
  take(): string[] {
    return this.events.splice(0).map(({ type }) => type)
  }

  async read(): Promise<void> {
    try {
      const decoder = new TextDecoder()
      let rest = ''
      for (let next = await this.#reader?.read(); next && !next.done; next = await this.#reader?.read()) {
        const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          if (line.startsWith('data: ')) this.events.push(JSON.parse(line.slice(6)) as Page['events'][number])
          if (line.startsWith('id: ')) this.lastId = line.slice(4)
        }
      }
      this.end = 'ended'
    } catch {
      this.end = 'failed'
    }
  }

  leave(): void {
    void this.#reader?.cancel()
  }
}

type Person = Parameters<Awaited<ReturnType<typeof world>>['tokensOf']>[0]

interface Options extends ChangesOptions {
  /** How long the process has run. Default: a minute, so that it knows all that a page may have missed while it loaded. */
  readonly ageMillis?: number
}

/** A platform with Ada and Grace in a team, Eve beside it, and a backend that takes its webhooks. */
export async function changesWorld({ ageMillis = 60_000, ...options }: Options = {}) {
  const one = await world({
    platform: {
      seed: {
        users: [ada, grace, eve],
        teams: [{ id: teamId, displayName: 'Ops', members: [{ email: ada.email }, { email: grace.email }] }],
      },
    },
  })
  const { clock, platform } = one
  jest.restoreAllMocks()
  waitForSignatures(one)
  const reports: unknown[] = []
  const requests: string[] = []
  let fetch: typeof globalThis.fetch = platform.options.fetch
  const server = createServerApp({
    ...platform.serverOptions,
    fetch(input, init) {
      const request = new Request(input, init)
      requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`)
      return fetch(request)
    },
    onUnhandled: error => reports.push(error),
  })
  /** Changes people's data, without part in the backend. */
  const admin = createServerApp(platform.serverOptions)
  const secret = platform.webhooks.secret
  const process = (more: ChangesOptions = options) => changes(server, { webhookSecret: secret, ...more })
  const live = process()
  const statuses: number[] = []
  /** The webhooks so far; `held` keeps them back. */
  const sent: Request[] = []
  const state = { isHeld: false }
  platform.webhooks.add({
    async handler(request) {
      sent.push(request.clone())
      if (state.isHeld) return new Response(null, { status: 200 })
      const response = await live.receive(request)
      statuses.push(response.status)
      return response
    },
  })
  const requestOf = async (who: Person, lastId = '', signal?: AbortSignal) => {
    const tokens = await platform.tokensFor(who.email)
    const { accessToken } = (await Promise.resolve(tokens.read()))!
    const headers = { authorization: `Bearer ${accessToken}`, ...(lastId && { 'last-event-id': lastId }) }
    return new Request('https://app.example.com/api/changes', { headers, ...(signal && { signal }) })
  }
  const open = async (
    who: Person,
    {
      lastId = '',
      of = live,
      isRead = true,
      signal,
    }: { lastId?: string; of?: typeof live; isRead?: boolean; signal?: AbortSignal } = {},
  ) => {
    const response = await one.settled(of.stream(await requestOf(who, lastId, signal)))
    const page = new Page(response, isRead)
    await clock.advance(1)
    return page
  }
  /** The change, and its webhooks. */
  const happen = async <T>(change: Promise<T>): Promise<T> => {
    const done = await one.settled(change)
    await one.settled(platform.webhooks.idle())
    await clock.advance(1)
    return done
  }
  const { items } = await one.settled(admin.users$({ limit: 100 }).get())
  const idOf = (who: Person) => items.find(({ primaryEmail }) => primaryEmail === who.email)?.id ?? ''
  const [adaId, graceId, eveId] = [idOf(ada), idOf(grace), idOf(eve)]
  await clock.advance(ageMillis)
  requests.length = 0
  return {
    ...one,
    server,
    admin,
    live,
    process,
    reports,
    requests,
    statuses,
    sent,
    state,
    open,
    happen,
    requestOf,
    secret,
    adaId,
    graceId,
    eveId,
    /** What the backend's requests to the platform reach from now on. */
    answerWith: (other: typeof globalThis.fetch) => (fetch = other),
  }
}
