import { createClientApp, derive, memoryTokens, noTokens, requestTokens, storageTokens, type ClientApp } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import {
  asUser,
  createServerApp,
  currentUser,
  tokenVerifier,
  verifyWebhook,
  webhookMemory,
  withSession,
} from 'rxauth/server'
import { firstValueFrom } from 'rxjs'
import type { Options } from './programs'

/*
 * The patterns of a server, by apps that are made where the module is loaded and kept over all requests. A request names its pattern
 * in the path, and brings what the pattern reads: cookies, a token, a webhook.
 */

/** The secret of the webhooks that the requests bring. */
export const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** What a request brings: `expired` has the refresh token alone, so that a session is renewed. */
type Brings = 'nothing' | 'cookies' | 'expired' | 'token' | 'webhook'

/** What each pattern brings, and the JSON of its answer. */
export const patterns = {
  get: ['nothing', true],
  refresh: ['nothing', true],
  firstValue: ['nothing', true],
  userById: ['cookies', 'Ada'],
  derived: ['nothing', true],
  derivedTwice: ['nothing', true],
  subscribed: ['nothing', true],
  list: ['nothing', true],
  takenOff: ['nothing', true],
  write: ['nothing', true],
  permitted: ['cookies', false],
  signal: ['nothing', true],
  project: ['nothing', 'string'],
  settings: ['nothing', 'string'],
  currentUser: ['cookies', 'Ada'],
  renewed: ['expired', 'Ada'],
  fromToken: ['cookies', 'string'],
  asUser: ['cookies', 'Ada'],
  parallel: ['expired', 4],
  withTokens: ['cookies', 1],
  update: ['expired', 'Ada'],
  withSession: ['expired', 'page'],
  verifier: ['token', 'string'],
  askAnonymous: ['token', false],
  webhook: ['webhook', 'user.deleted'],
  keptSession: ['expired', 'Ada'],
  stored: ['expired', 'Ada'],
} as const satisfies Readonly<Record<string, readonly [Brings, unknown]>>

export type Pattern = keyof typeof patterns

/** Answers the requests of all patterns. `Error: …` is the answer of one that fails. */
export function patternsOn(options: Options): (request: Request) => Promise<Response> {
  const server = createServerApp(options)
  const admin = createAdminApp(options)
  const client = createClientApp({ ...options, tokens: noTokens() })
  const verify = tokenVerifier(options)
  const memory = webhookMemory()
  const { listUsers } = server
  /** Apps with a session, which all requests use. */
  const kept = new Map<string, ClientApp>()

  const userIdOf = async (request: Request) => (await currentUser(server, request, { from: 'token' }))?.id ?? ''
  const nameIn = async (name: string, request: Request, make: (refreshToken: string) => ClientApp) => {
    const refreshToken = decodeURIComponent(
      /stack-refresh-[^=]+=([^;]+)/.exec(request.headers.get('cookie') ?? '')![1]!,
    )
    const app = kept.get(name) ?? make(refreshToken)
    kept.set(name, app)
    return (await app.user$.get())?.displayName
  }

  const answers: Readonly<Record<Pattern, (request: Request) => unknown>> = {
    get: async () => (await server.users$().get()).items.length > 0,
    refresh: async () => (await server.users$().refresh()).items.length > 0,
    firstValue: async () => (await firstValueFrom(server.users$())).items.length > 0,
    userById: async request => (await server.userById$({ userId: await userIdOf(request) }).get())?.displayName,
    derived: () => derive(server, read => read(server.users$()).items.length > 0).get(),
    derivedTwice: () => {
      const count$ = derive(server, read => read(server.users$()).items.length)
      return derive(server, read => read(count$) > 0).get()
    },
    subscribed: async () => (await firstValueFrom(derive(server, read => read(server.users$()).items.length))) > 0,
    async list() {
      for await (const user of server.listUsers()) return user.id !== ''
      return false
    },
    async takenOff() {
      for await (const user of listUsers()) return user.id !== ''
      return false
    },
    write: async () => (await server.createUser({ displayName: 'Eve' })).ok,
    permitted: async request => server.isPermitted({ userId: await userIdOf(request), permissionId: 'none' }),
    signal: async ({ signal }) => (await server.users$().get({ signal })).items.length > 0,
    project: async () => typeof (await client.project$.get()).displayName,
    settings: async () => typeof (await admin.adminProject$.get()).displayName,
    currentUser: async request => (await currentUser(server, request))?.displayName,
    renewed: async request => (await currentUser(server, request))?.displayName,
    fromToken: async request => typeof (await currentUser(server, request, { from: 'token' }))?.id,
    asUser: request => asUser(server, request, async own => (await own.user$.get())?.displayName),
    parallel: request =>
      asUser(server, request, async own => {
        const all = [own.user$.get(), own.teams$.get(), own.user$.get(), firstValueFrom(own.user$)]
        return (await Promise.all(all)).length
      }),
    async withTokens(request) {
      const own = server.withTokens(requestTokens(request))
      try {
        return (await own.teams$.get()).length
      } finally {
        own.dispose()
      }
    },
    update: request => asUser(server, request, async own => (await own.updateUser({ displayName: 'Ada' })).displayName),
    async withSession(request) {
      const response = await withSession(server, request, () => new Response('page'))
      if (response.headers.getSetCookie().length === 0) throw new Error('it sets no cookie')
      return response.text()
    },
    async verifier(request) {
      const { user, refusal } = await verify.request(request)
      return refusal ? refusal.status : typeof user.userId
    },
    async askAnonymous(request) {
      const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? null
      return (await server.verifyAccessToken(token, { askAnonymous: true })).isAnonymous
    },
    webhook: async request => (await verifyWebhook(request, webhookSecret, { memory })).type,
    keptSession: request =>
      nameIn('memory', request, refreshToken => {
        const tokens = memoryTokens({ accessToken: null, refreshToken })
        return createClientApp({ ...options, tokens })
      }),
    stored: request =>
      nameIn('storage', request, refreshToken => {
        const held = new Map([['rxauth-tokens', JSON.stringify({ accessToken: null, refreshToken })]])
        const storage = {
          getItem: async (key: string) => held.get(key) ?? null,
          setItem: async (key: string, value: string) => held.set(key, value),
          removeItem: async (key: string) => held.delete(key),
        }
        return createClientApp({ ...options, tokens: storageTokens(storage) })
      }),
  }

  return async request => {
    const { pathname, searchParams } = new URL(request.url)
    const answer = answers[pathname.slice(1) as Pattern]
    const answered = (async () => Response.json(await answer(request)))().catch((error: unknown) =>
      Response.json(`Error: ${String(error)}`),
    )
    if (!searchParams.has('leaves')) return answered
    // The request ends and leaves its work undone, as one does that is cancelled.
    await new Promise(resolve => setTimeout(resolve, 60))
    return new Response('left')
  }
}
