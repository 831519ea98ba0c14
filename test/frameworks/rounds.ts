import { Agent, request } from 'node:http'
import { cachingProxy } from './caching-proxy'
import { startApp, type Framework } from './apps'
import { servePlatform, type Session, type SetPlatform } from './driver'

/** How many users render at a time. */
const width = 50
const everyone = Array.from({ length: width }, (_, index) => {
  const number = String(index).padStart(2, '0')
  return { email: `person-${number}@example.com`, displayName: `Person ${number}` }
})

/** What the rounds have counted; all of it is 0 but `renders`. */
export interface Count {
  renders: number
  /** Renders of a session that has been refreshed more than once in ten seconds, for which the result is shared. */
  moreRefreshes: number
  /** Renders after which the cookies that the browser has do not show the user, or need another refresh. */
  lostCookies: number
  /** More redirects than the one to the sign-in page. */
  loops: number
  /** Pages with the name of another user. */
  crossings: number
  /** Pages without the name of their user, or without the part that streams. */
  incomplete: number
}

export interface Outcome extends Count {
  readonly cacheHits: number
  /** What the server has printed. */
  readonly problems: readonly string[]
  /** How much the server's heap has grown after the first rounds. */
  readonly grownBytes: number
}

/** An app that runs with a platform of its own, for rounds of renders. */
export interface RoundsOfApp {
  /**
   * Rounds of renders whose access tokens have expired, through a new cache: by turns of 50 users, and of one user 50 times,
   * whose first request is aborted. Among the 50 users are one whose access token is refused though it has not expired, one
   * whose session has ended, and one who signs out meanwhile.
   */
  run(rounds: number): Promise<Outcome>
  /** One round of some users, through a cache that removes what the app says about caching. */
  runStripped(): Promise<Outcome>
  close(): Promise<void>
}

export async function openRounds(folder: string, name: Framework): Promise<RoundsOfApp> {
  const platform = await servePlatform(everyone)
  const app = await startApp(folder, name, platform.url, platform.platform.serverOptions.secretServerKey)
  // A kept connection may be closed by the server while the next request is on its way.
  const agent = new Agent({ keepAlive: false, maxSockets: 100 })

  async function run(rounds: number, people: World['people'], strips: boolean): Promise<Outcome> {
    const proxy = await cachingProxy(() => app.address, { strips })
    const world: World = { platform, people, ask: asker(proxy.address, agent), count: emptyCount() }
    const warm = Math.ceil(rounds / 3)
    try {
      let before = 0
      for (let round = 0; round < rounds; round++) {
        if (round === warm) before = await app.heap()
        if (round % 2 === 0) await manyUsers(world, round)
        else await oneUser(world, round)
      }
      const grownBytes = (await app.heap()) - before
      const problems = app.problems().filter(line => name !== 'react-router' || line !== leaverOfReactRouter)
      return { ...world.count, cacheHits: proxy.hits(), problems, grownBytes }
    } finally {
      proxy.close()
    }
  }

  return {
    run: rounds => run(rounds, everyone, false),
    runStripped: () => run(1, everyone.slice(0, 10), true),
    async close() {
      agent.destroy()
      await app.stop()
      await platform.close()
    },
  }
}

/**
 * React Router ends the stream of a visitor who has left with an error, which its server entry prints without its message. A page
 * whose data fails for us prints the same, but is incomplete.
 */
const leaverOfReactRouter = '[Error: Unexpected Server Error]'

interface World {
  readonly platform: SetPlatform
  readonly people: typeof everyone
  readonly ask: Ask
  readonly count: Count
}

const emptyCount = (): Count => ({
  renders: 0,
  moreRefreshes: 0,
  lostCookies: 0,
  loops: 0,
  crossings: 0,
  incomplete: 0,
})

async function manyUsers(world: World, round: number): Promise<void> {
  const { platform, people } = world
  const { length } = people
  const [refused, ended, leaving] = [round % length, (round + 1) % length, (round + 2) % length]
  const sessions = await Promise.all(people.map(({ email }) => platform.expired(email)))
  sessions[refused] = await platform.refused(people[refused]!.email)
  await platform.end(sessions[ended]!)
  await Promise.all([
    platform.end(sessions[leaving]!),
    ...people.map(async ({ displayName }, index) => {
      // The user who leaves may be shown once more.
      const isIn = index === ended ? false : index === leaving ? undefined : true
      await render(world, displayName, sessions[index]!, isIn)
    }),
  ])
}

async function oneUser(world: World, round: number): Promise<void> {
  const { people } = world
  const { email, displayName } = people[round % people.length]!
  const session = await world.platform.expired(email)
  const leader = new AbortController()
  const aborted = world.ask('/account', session.cookies, leader.signal).catch(() => undefined)
  const others = people.slice(1).map(() => render(world, displayName, session, true))
  // While the server refreshes, or before it has begun to.
  setTimeout(() => leader.abort(), round % 10)
  await Promise.all([aborted, ...others])
}

/** Renders a page as a browser does, and then once more with the cookies that this browser has by then. */
async function render({ platform, ask, count }: World, name: string, session: Session, isIn: boolean | undefined) {
  const shows = (body: string) => body.includes(`Hello ${name}`) || body.includes(`Hello <!-- -->${name}`)
  count.renders += 1
  let { cookies } = session
  let path = '/account'
  let answer = await ask(path, cookies)
  for (let redirects = 0; answer.to !== undefined; redirects++) {
    if (redirects === 1) {
      count.loops += 1
      return
    }
    cookies = withWritten(cookies, answer.written)
    path = answer.to
    answer = await ask(path, cookies)
  }
  cookies = withWritten(cookies, answer.written)
  if (namesIn(answer.body).some(other => other !== name)) count.crossings += 1
  const isShown = shows(answer.body)
  if (isIn === undefined) return
  if (isShown !== isIn || (isIn && !answer.body.includes('Engineering'))) count.incomplete += 1
  if (!isIn) return
  const again = await ask('/account', cookies)
  const refreshes = platform.refreshes.get(session.refreshToken) ?? 0
  if (namesIn(again.body).some(other => other !== name)) count.crossings += 1
  if (!shows(again.body) || again.written.length > 0) count.lostCookies += 1
  // A busy machine takes longer than that for one round.
  const shares = Math.floor((performance.now() - session.madeAtMillis) / 10_000)
  if (refreshes > 1 + shares) count.moreRefreshes += 1
}

function namesIn(body: string): string[] {
  return body.match(/Person \d\d/g) ?? []
}

type Cookies = Readonly<Record<string, string>>

function withWritten(cookies: Cookies, written: readonly string[]): Cookies {
  const next: Record<string, string> = { ...cookies }
  for (const text of written) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    if (/max-age=0/i.test(text) || value === '') Reflect.deleteProperty(next, name)
    else next[name] = value
  }
  return next
}

interface Answer {
  readonly status: number
  readonly to: string | undefined
  readonly written: readonly string[]
  readonly body: string
}

type Ask = (path: string, cookies: Cookies, signal?: AbortSignal) => Promise<Answer>

function asker(address: string, agent: Agent): Ask {
  return (path, cookies, signal) =>
    new Promise((resolve, reject) => {
      const cookie = Object.entries(cookies)
        .map(pair => pair.join('='))
        .join('; ')
      const headers = { cookie, accept: 'text/html', 'user-agent': 'Mozilla/5.0 Chrome/147' }
      const sent = request(new URL(path, address), { agent, headers, ...(signal && { signal }) }, response => {
        let body = ''
        response.setEncoding('utf8').on('data', (part: string) => (body += part))
        response.on('error', reject).on('end', () => {
          const { statusCode: status = 0, headers } = response
          const to = status >= 300 && status < 400 ? headers.location : undefined
          resolve({ status, to, written: headers['set-cookie'] ?? [], body })
        })
      })
      sent.on('error', reject).end()
    })
}
