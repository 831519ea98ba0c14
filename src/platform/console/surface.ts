import * as v from 'valibot'
import type { PlatformServices } from '../model/engine'
import type { FaultPlan } from '../test-tools/faults'
import type { Address } from '../http/router'
import { bodyOf, common, failure, json, refused, eventStream, type Routes } from './answers'
import { faultRoutes, signInRoutes } from './routes'
import { changesHeaders, changesPath, changesFor, readerOf, untilMoment } from './user-changes'
import { toLocalMail, type LocalAccess } from './local-access'
import { internalProjectId } from '../http/authenticate'
import { plain } from '../model/refusal'
import { mapValues, type TableDefinitions } from '../data/unit'
import { schema, type Tables } from '../model/tables'

const rowLists = (definitions: TableDefinitions) => mapValues(definitions, ({ row }): v.GenericSchema => v.array(row))
const projectShape = v.object(mapValues(rowLists(schema.ofProject), rows => v.optional(rows, [])))
const shape = v.object({
  shared: v.object(rowLists(schema.shared)),
  projects: v.record(v.string(), projectShape),
})

/** Columns with the id of a row in another table of the project; requests would fail if that row were missing. */
const references = [
  ['contactChannels', 'userId', 'users'],
  ['sessions', 'userId', 'users'],
  ['refreshTokens', 'sessionId', 'sessions'],
  ['memberships', 'userId', 'users'],
  ['memberships', 'teamId', 'teams'],
  ['oauthAccounts', 'userId', 'users'],
  ['passkeys', 'id', 'users'],
] as const satisfies readonly (readonly [table: keyof Tables, column: string, of: keyof Tables])[]

type RowsByTable = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/**
 * Why a platform with this project cannot import the file; null if it can. The reason has no values, since they may be
 * secrets.
 */
function whyNoExport(file: unknown, projectId: string): string | null {
  const result = v.safeParse(shape, file, { abortEarly: true })
  if (!result.success) {
    const [issue] = result.issues
    const what = issue.input === undefined ? 'is missing' : `is not ${issue.expected ?? 'what it has to be'}`
    return `is no export of a local platform: ${v.getDotPath(issue) ?? 'the whole'} ${what}`
  }
  const { shared, projects } = result.output
  const found = (shared['projects'] as readonly { readonly id: string }[]).map(({ id }) => id)
  for (const id of new Set([projectId, internalProjectId]))
    if (!found.includes(id) || !projects[id])
      return `has no project "${id}", which this platform needs; it has ${found.join(', ') || 'none'}`
  for (const [id, tables] of Object.entries(projects)) {
    const dangling = danglingIn(tables as RowsByTable)
    if (dangling !== null) return `is no export of a local platform: projects.${id}.${dangling}`
  }
  return null
}

function danglingIn(tables: RowsByTable): string | null {
  for (const [table, column, of] of references) {
    const there = new Set(tables[of]?.map(({ id }) => id))
    const index = tables[table]?.findIndex(row => !there.has(row[column])) ?? -1
    if (index >= 0) return `${table}.${index}.${column} names nothing in ${of}`
  }
  return null
}

const prefix = '/__local__'

const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8', ...common }

const shownMails = 500

/** Ten years and a day: later instants could leave the range of some date formats. */
const maxForwardMillis = 3_653 * 86_400_000

const move = v.strictObject({
  forwardMillis: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxForwardMillis)),
})

export interface LocalParts {
  readonly access: LocalAccess
  readonly host: PlatformServices
  readonly plan: FaultPlan
  readonly addresses: readonly Address[]
  readonly projectId: string
  /** Resolves when the seed has been planted. */
  readonly ready: () => Promise<void>
  readonly snapshot: () => object
  readonly restore: (snapshot: object) => void
  /** A second platform that begins as this one has. */
  readonly anew: () => { seed(none: object): Promise<void>; snapshot(): object; dispose(): void }
}

export function isLocalPath(pathname: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`)
}

/**
 * Answers the local platform's own addresses under `/__local__`: sent mails, answered requests, faults, the time, and all
 * data. They are for the console, apart from the changes of a user; the HTTP server refuses other pages and hosts.
 */
export function localSurface(parts: LocalParts): (request: Request) => Promise<Response> {
  const { access } = parts
  const routes = new Map(
    Object.entries<Routes[string]>({
      ...{ ...streams(parts), ...lists(parts), ...faultRoutes(parts), ...signInRoutes(parts), ...data(parts) },
      time: {
        GET: () => json(access.time),
        async POST({ body }) {
          await access.forward(v.parse(move, body).forwardMillis)
          return json(access.time)
        },
      },
    }),
  )
  return async request => {
    const url = new URL(request.url)
    const response = await answer(parts, routes, request, url)
    if (url.pathname === changesPath)
      for (const [name, value] of Object.entries(changesHeaders)) response.headers.set(name, value)
    return response
  }
}

async function answer(
  { host, ready }: LocalParts,
  routes: ReadonlyMap<string, Routes[string]>,
  request: Request,
  url: URL,
): Promise<Response> {
  if (host.isStrict) return refused(404, 'A strict platform has no console.')
  const [name = '', id, ...rest] = url.pathname.slice(prefix.length + 1).split('/')
  const methods = rest.length === 0 && routes.get(id === undefined ? name : `${name}/`)
  if (!methods) return refused(404, `The local platform has nothing at ${url.pathname}.`)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!run) return refused(405, `${url.pathname} takes ${Object.keys(methods).join(' and ')}.`)
  try {
    const body = /^(POST|PUT)$/.test(method) ? await bodyOf(request) : undefined
    await ready()
    return await run({ request, url, id, body })
  } catch (error) {
    return failure(error)
  }
}

function streams({ access, host, projectId }: LocalParts): Routes {
  return {
    changes: {
      OPTIONS: () => new Response(null, { status: 204, headers: common }),
      async GET({ request, url }) {
        const { claims, expiresAt } = await readerOf(request, host)
        if (request.method === 'HEAD') return new Response(null, { headers: streamHeaders })
        const changes$ = changesFor(claims, access.events$, host).pipe(untilMoment(expiresAt, access.clock))
        const withoutMillis = Number(url.searchParams.get('without') ?? 0)
        const first = access.millisSinceChange <= withoutMillis ? { type: 'missed' } : undefined
        const text = (change: object) => `data: ${JSON.stringify(change)}\n\n`
        return new Response(eventStream(changes$, first, access.clock, text), { headers: streamHeaders })
      },
    },
    events: {
      GET({ request }) {
        const headers = streamHeaders
        if (request.method === 'HEAD') return new Response(null, { headers })
        const hello = { type: 'hello', platformId: access.platformId, projectId } as const
        return new Response(eventStream(access.events$, hello, access.clock), { headers })
      },
    },
  }
}

function lists({ access, host }: LocalParts): Routes {
  const { exchanges } = access
  const { mails } = host.journal.committed
  return {
    mails: {
      GET({ url }) {
        const to = url.searchParams.get('to')?.trim().toLowerCase()
        const found = mails.rows().filter(mail => to === undefined || mail.to.toLowerCase() === to)
        return json({ items: found.slice(-shownMails).reverse().map(toLocalMail) })
      },
    },
    requests: {
      GET: () => json({ items: exchanges.list }),
      DELETE() {
        exchanges.clear()
        access.tell({ type: 'cleared' })
        return json({})
      },
    },
    'requests/': {
      GET({ id }) {
        const found = exchanges.find(Number(id))
        return found ? json(found) : refused(404, `Request ${id ?? ''} is not among the last that are kept.`)
      },
    },
  }
}

function data({ access, plan, projectId, snapshot, restore, anew }: LocalParts): Routes {
  return {
    reset: {
      async POST() {
        const fresh = anew()
        try {
          // Waits for its seed.
          await fresh.seed({})
          restore(fresh.snapshot())
        } finally {
          fresh.dispose()
        }
        plan.clear()
        return json({})
      },
    },
    data: {
      GET: () =>
        json(snapshot(), 200, {
          'content-disposition': `attachment; filename="${projectId}-${access.time.now.slice(0, 10)}.json"`,
        }),
      PUT({ body }) {
        const reason = whyNoExport(body, projectId)
        if (reason !== null) throw plain(400, `This file ${reason}.`)
        // `whyNoExport` has checked it.
        restore(body as object)
        return json({})
      },
    },
  }
}
