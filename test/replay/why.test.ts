import { createClientApp, memoryTokens, record, sessionLimits } from 'rxauth'
import { BehaviorSubject, NEVER } from 'rxjs'
import { causes } from '../../src/replay/causes'
import { checked } from '../../src/replay/checked'
import type { RecordedEvent } from '../../src/replay/events'
import { why, type SessionEnd } from '../../src/replay/why'
import { browser, credentialsOf, type Browser, type Tab, type TabOptions } from '../tabs'
import { ada, grace } from '../world'

const home = 'https://app.example.com/'
const token = 'POST /auth/oauth/token'
const asked = `this tab sent ${token}`
const refused = `the answer 401 REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED to ${token}`
const foreign = 'the token store had tokens that this tab had not stored'
const empty = 'the token store was empty'
const slept = 'the clock jumped 8 h ahead: it was set, or the machine slept'

interface World extends Browser {
  readonly page: Tab
  readonly faulty: Faulty
}

/** What does not work in the page that is recorded. */
interface Faulty {
  readonly online$: BehaviorSubject<boolean>
  /** A platform that refuses every refresh token, as one that has taken it before. */
  refuses: boolean
  hasNoCookies: boolean
}

type Scenario = (world: World) => unknown

/** The recording of a page that is signed in as Ada, and begins before that. */
async function recorded(
  scenario: Scenario,
  { rotation = false, ahead = 0, begin = (one: Browser): unknown => one.signIn(ada), ...options }: Begin = {},
) {
  const shared = browser({
    rotation,
    seed: { users: [ada, grace], project: { config: { clientUserDeletionEnabled: true } } },
  })
  const { clock, platform, tab } = shared
  await begin(shared)
  const faulty: Faulty = { online$: new BehaviorSubject(true), refuses: false, hasNoCookies: false }
  const page = tab({
    clock: { ...clock, now: () => clock.now() + ahead },
    wrap: host => ({
      ...host,
      online$: faulty.online$,
      cookies: {
        ...host.cookies!,
        get: () => {
          if (faulty.hasNoCookies) throw new DOMException('denied', 'SecurityError')
          return host.cookies!.get()
        },
      },
    }),
    fetch: async (url, init) => {
      if (!faulty.online$.value) throw new TypeError('offline')
      if (!faulty.refuses || !(url as string).endsWith('/auth/oauth/token')) return platform.options.fetch(url, init)
      const code = 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'
      return Response.json({ code, error: 'no' }, { status: 401, headers: { 'x-stack-known-error': code } })
    },
    ...options,
  })
  const recording = record(page.app)
  page.app.user$.snapshot$.subscribe()
  await clock.advance(1000)
  await scenario({ ...shared, page, faulty })
  await clock.advance(1000)
  const { events } = checked(JSON.parse(JSON.stringify(await recording.stop())))
  page.app.dispose()
  return events
}

interface Begin extends TabOptions {
  readonly rotation?: boolean
  /** How wrong the clock of the page is. */
  readonly ahead?: number
  readonly begin?: (one: Browser) => unknown
}

/** The access token expires, and the app asks for another one. */
async function refresh({ clock, page }: World, millis = 620_000) {
  clock.shiftWall(millis)
  page.app.accessToken().catch(() => undefined)
  await clock.advance(60_000)
}

/** Others write the cookies. */
function write({ jar }: Browser, cookies: readonly { readonly name: string; readonly value: string }[]) {
  const page = jar.on(home)
  for (const { name } of jar.all) page.set(`${name}=; path=/; max-age=0`)
  for (const { name, value } of cookies) page.set(`${name}=${value}; path=/; max-age=1000000`)
}

async function signIn({ page, clock }: World) {
  void page.app.signInWithPassword(credentialsOf(ada))
  await clock.advance(100)
}

/** Another device that has the same session. */
const device = ({ platform, page }: World) =>
  createClientApp({ ...platform.options, tokens: memoryTokens(page.app.tokens$.value!) })

/** A session without a refresh token. */
async function accessOnly(one: Browser) {
  await one.signIn(ada)
  const pair = one.jar.all.find(({ name }) => name === 'stack-access')?.value ?? ''
  const [, accessToken] = JSON.parse(decodeURIComponent(pair)) as [string, string]
  write(one, [{ name: 'stack-access', value: encodeURIComponent(JSON.stringify(['', accessToken])) }])
}

/** The recording of a kit with a bug: the session ends after the last input of this kind. */
function endedBy(events: readonly RecordedEvent[], name: string): readonly RecordedEvent[] {
  const at = events.map(event => 'in' in event && event.in === name).lastIndexOf(true)
  const { at: millis, turn, step, index } = events[at]!
  const end = { at: millis, turn, step, index, did: 'identity', to: 'signed-out', cause: 'expired' } as const
  return [...events.slice(0, at + 1), end, ...events.slice(at + 1)].map((event, index) => ({ ...event, index }))
}

const rows: readonly (readonly [
  kind: string,
  cause: keyof typeof causes,
  Scenario,
  chain: readonly string[],
  options?: Begin,
])[] = [
  [
    'the app signs out',
    'signed-out',
    async ({ page, clock }) => {
      void page.app.signOut()
      await clock.advance(3000)
    },
    ['the app called signOut() in this tab'],
  ],
  ...(['idle', 'limit'] as const).map(
    reason =>
      [
        `sessionLimits ends the session: ${reason}`,
        reason,
        async ({ page, clock }: World) => {
          const field = reason === 'idle' ? 'idleMillis' : 'absoluteMillis'
          sessionLimits(page.app, { [field]: 120_000, activity$: NEVER })
          await clock.advance(120_000)
        },
        [`sessionLimits() ended the session (${reason})`],
      ] as const,
  ),
  [
    'another tab signs out',
    'otherTab',
    async ({ tab, clock }) => {
      void tab().app.signOut()
      await clock.advance(3000)
    },
    ['another tab told that it had signed out', empty],
  ],
  [
    '1: two tabs refresh at once with one token',
    'twoTabs',
    async world => {
      world.faulty.refuses = true
      world.clock.shiftWall(620_000)
      world.page.app.accessToken().catch(() => undefined)
      await world.clock.advance(1000)
      // The other tab has its answer later.
      await world.signIn(ada)
    },
    [asked, refused, foreign],
    { rotation: true },
  ],
  [
    '2: the answer to a refresh is lost',
    'lostAnswer',
    async world => {
      world.platform.faults.next(token, { loseResponse: true, times: 5 })
      await refresh(world)
      await refresh(world)
    },
    [asked, `no answer to ${token}`, asked, refused],
    { rotation: true },
  ],
  [
    '3: the page before is left during a refresh',
    'pageLeft',
    async () => undefined,
    [foreign, asked, refused],
    {
      rotation: true,
      async begin(one) {
        await one.signIn(ada)
        one.clock.shiftWall(620_000)
        const before = one.tab()
        one.platform.faults.next(token, { delayMillis: 2000 })
        before.app.accessToken().catch(() => undefined)
        await one.clock.advance(500)
        before.kill()
        await one.clock.advance(120_000)
      },
    },
  ],
  [
    '8: the machine sleeps past the end of an access token without a refresh token',
    'slept',
    world => refresh(world, 8 * 3_600_000),
    [foreign, slept],
    { begin: accessOnly },
  ],
  [
    'an access token expires without a refresh token',
    'expired',
    async ({ clock, page }) => {
      await clock.advance(700_000)
      page.app.accessToken().catch(() => undefined)
    },
    [foreign],
    { begin: accessOnly },
  ],
  [
    '9: the clock is wrong',
    'wrongClock',
    async world => {
      await Promise.all([world.page.app.project$.get(), world.clock.advance(1000)])
      await accessOnly(world)
      await refresh(world, 0)
    },
    [`the answer 200 to GET /projects/current`, foreign],
    { begin: () => undefined, ahead: 3_600_000 },
  ],
  [
    '10: Safari deletes the cookies after seven days',
    'sevenDays',
    ({ clock, ...world }) => {
      clock.shiftWall(7.1 * 86_400_000)
      write({ clock, ...world }, [])
    },
    [foreign, 'the clock jumped 7 days ahead: it was set, or the machine slept', empty],
  ],
  ['10: the user deletes the cookies', 'vanished', world => write(world, []), [foreign, empty]],
  [
    '11: a web view has emptied its storage',
    'noTokens',
    () => undefined,
    ['the recording began without tokens', empty],
    { begin: () => undefined },
  ],
  [
    '12: the browser drops a cookie that was written',
    'notKept',
    async world => {
      await signIn(world)
      write(world, [])
    },
    ['a sign-in of this tab stored its tokens', empty],
  ],
  [
    '13: two cookies have one name',
    'twoCookies',
    async world => {
      const older = world.jar.all
      await signIn(world)
      write(world, older)
      await world.clock.advance(200)
      world.faulty.refuses = true
      await refresh(world)
    },
    ['a sign-in of this tab stored its tokens', foreign, asked, refused],
  ],
  [
    '15: a server refreshes, and its cookies are lost',
    'server',
    async world => {
      await refresh(world)
      world.clock.shiftWall(620_000)
      device(world)
        .accessToken()
        .catch(() => undefined)
      await world.clock.advance(120_000)
      await refresh(world)
    },
    [`the answer 200 to ${token}`, asked, refused],
    { rotation: true },
  ],
  [
    '16: a cache serves the cookies of another user',
    'otherUser',
    async world => {
      await world.signIn(grace)
      await world.clock.advance(200)
      world.faulty.refuses = true
      await refresh(world)
    },
    [foreign, asked, refused],
  ],
  [
    '17: the cookie has another format',
    'unreadable',
    () => undefined,
    [foreign],
    { begin: one => write(one, [{ name: 'stack-access', value: encodeURIComponent('["","garbage"]') }]) },
  ],
  [
    '19: the lock of the refresh is taken from a tab that hangs',
    'stolenLock',
    async world => {
      const { locks, platform } = world
      locks
        .of({})
        .request(`rxauth:${platform.options.projectId}:refresh`, {}, () => new Promise(() => undefined))
        .catch(() => undefined)
      world.faulty.refuses = true
      await refresh(world)
    },
    ['this tab took the lock from another one', asked, refused],
    { rotation: true },
  ],
  [
    '20: the session is revoked elsewhere',
    'revoked',
    async world => {
      await refresh(world)
      void device(world).signOut()
      await world.clock.advance(3000)
      await refresh(world)
    },
    [foreign, asked, refused],
  ],
  [
    '20: the account is deleted elsewhere',
    'deleted',
    async world => {
      void device(world).deleteUser()
      await world.clock.advance(3000)
      world.page.app.user$.refresh().catch(() => undefined)
      await world.clock.advance(10_000)
    },
    [asked, refused],
  ],
]

/** A session ends only in a kit with a bug: the input that ends it there. */
const bugs: readonly (readonly [
  kind: string,
  cause: keyof typeof causes,
  by: string,
  Scenario,
  chain: readonly string[],
])[] = [
  [
    '4: the browser is offline',
    'offline',
    'answer',
    async world => {
      world.faulty.online$.next(false)
      await refresh(world)
    },
    ['the browser was offline', asked, `no answer to ${token}`],
  ],
  ['4: no answer arrives', 'unanswered', 'answer', faulted({ loseResponse: true }), [asked, `no answer to ${token}`]],
  ['5: the platform is deployed', 'failing', 'answer', faulted({ status: 503 }), [asked, `the answer 503 to ${token}`]],
  [
    '6: the platform asks to wait',
    'tooMany',
    'answer',
    faulted({ status: 429, retryAfter: '60' }),
    [asked, `the answer 429 to ${token}`],
  ],
  ['7: a proxy refuses', 'proxy', 'answer', faulted({ status: 403 }), [asked, `the answer 403 to ${token}`]],
  [
    '7: the page of a network answers',
    'proxy',
    'answer',
    faulted({ status: 200 }),
    [asked, `the answer 200 to ${token}`],
  ],
  [
    '14: the browser blocks cookies',
    'blocked',
    'unread',
    async world => {
      world.faulty.hasNoCookies = true
      await refresh(world)
    },
    ['the token store could not be read'],
  ],
  [
    '18: a sign-in fails',
    'signInFailed',
    'answer',
    async ({ page, clock }) => {
      void page.app.signInWithPassword({ email: ada.email, password: 'another one' })
      await clock.advance(1000)
    },
    [
      'this tab sent POST /auth/password/sign-in',
      'the answer 400 EMAIL_PASSWORD_MISMATCH to POST /auth/password/sign-in',
    ],
  ],
]

/** Without the jump of the clock by which `refresh` lets the access token expire. */
function textsOf({ chain }: SessionEnd): readonly string[] {
  return chain.map(({ text }) => text).filter(text => !/^the clock jumped (?:10|21) min/.test(text))
}

/** Every refresh has this fault. */
function faulted(fault: Parameters<Browser['platform']['faults']['every']>[1]): Scenario {
  return async world => {
    world.platform.faults.every(token, fault)
    await refresh(world)
  }
}

// Promise: replay-why
describe('why()', () => {
  it.each(
    rows.map(([kind, cause, scenario, chain, options]) => [kind, cause, scenario, chain, options ?? {}] as const),
  )('names the cause of an end: %s', async (_kind, cause, scenario, chain, options) => {
    const events = await recorded(scenario, options)
    const end = why(events).at(-1)
    expect(end?.text).toBe(causes[cause])
    expect(end && textsOf(end)).toEqual(chain)
  })

  it.each(bugs)('names the bug of a kit that ends a session: %s', async (_kind, cause, by, scenario, chain) => {
    const events = await recorded(scenario)
    expect(why(events)).toEqual([])
    const [end] = why(endedBy(events, by))
    expect(end?.text).toBe(causes[cause])
    expect(end && textsOf(end)).toEqual(chain)
  })

  it('names the cause in a recording that has lost its beginning', async () => {
    const [, cause, scenario, chain, options] = rows.find(([kind]) => kind.startsWith('2:'))!
    const events = await recorded(scenario, options)
    const [end] = why(events.slice(events.findIndex(event => 'did' in event && event.did === 'send' && event.id === 1)))
    expect(end?.text).toBe(causes[cause])
    expect(end && textsOf(end)).toEqual(chain)
  })

  // Promise: replay-command
  it('reads the events of a stranger, however many refreshes and ends they are, once for each end', () => {
    const readsOf = (ends: number) => {
      const events = Array.from({ length: ends }, (_, id) => [
        { did: 'send', id, method: 'POST', path: '/auth/oauth/token', body: {} },
        { in: 'answer', id, json: {} },
        { did: 'identity', to: 'signed-out', cause: 'expired' },
      ]).flat()
      let reads = 0
      const has = (event: object, name: string) => (reads++, name in event)
      why(checked({ version: 2, events }).events.map(event => new Proxy<RecordedEvent>(event, { has })))
      return reads
    }
    // Four times as many for twice as many ends; eight times, if each refresh looked for its answer at each end.
    expect(readsOf(80) / readsOf(40)).toBeLessThan(5)
  })

  it('names no event of a recording in which no session has ended', async () => {
    expect(why(await recorded(refresh))).toEqual([])
  })
})
