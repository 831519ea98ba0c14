import { changes, createServerApp, type ChangesOptions } from 'rxauth/server'
import { createPlatform, virtualClock } from 'rxauth/platform'
import { waitForSignatures } from '../../kit/server-world'
import { runs } from '../../runs'
import { Page } from './changes-world'

type MayKnow = NonNullable<ChangesOptions['mayKnow']>

/** A text of another process. */
const textOf = (id: string, team: string) => JSON.stringify({ id, type: 'team.updated', data: { id: team } })

/** A backend that asks `mayKnow`, with the page of each of `count` users. */
async function readers(count: number, mayKnow: MayKnow) {
  const clock = virtualClock()
  jest.restoreAllMocks()
  waitForSignatures({ clock })
  const emails = Array.from({ length: count }, (_, place) => `user-${place}@example.com`)
  const platform = createPlatform({ clock, seed: { users: emails.map(email => ({ email })) } })
  const reports: unknown[] = []
  const server = createServerApp({ ...platform.serverOptions, onUnhandled: error => reports.push(error) })
  let say: (text: string) => void = () => undefined
  /** The users of all questions, how many questions have no answer, and the most of these at one moment. */
  const asked = { users: [] as string[], open: 0, most: 0 }
  const live = changes(server, {
    webhookSecret: platform.webhooks.secret,
    subscribe(listener) {
      say = listener
      return () => undefined
    },
    mayKnow(userId, change) {
      asked.users.push(userId)
      const answer = mayKnow(userId, change)
      if (typeof answer === 'boolean') return answer
      asked.most = Math.max(asked.most, ++asked.open)
      return answer.finally(() => asked.open--)
    },
  })
  await clock.advance(60_000)
  const open = async (user: number, lastId = '', signal?: AbortSignal) => {
    const { accessToken } = (await Promise.resolve((await platform.tokensFor(emails[user]!)).read()))!
    const headers = { authorization: `Bearer ${accessToken}`, ...(lastId && { 'last-event-id': lastId }) }
    const request = new Request('https://a.example/', { headers, ...(signal && { signal }) })
    return new Page(await clock.settled(live.stream(request)), true)
  }
  const pages: Page[] = []
  for (let user = 0; user < count; user++) pages.push(await open(user))
  await clock.advance(1)
  return {
    clock,
    live,
    server,
    asked,
    reports,
    pages,
    open,
    say: (id: string, team = 'team') => {
      say(textOf(id, team))
    },
    /** How many events each page has, and of which types. */
    counts: () => pages.map(page => page.take()).map(types => `${types.length} ${[...new Set(types)].join()}`),
  }
}

/** An answer that comes after `millis`. */
const after = (clock: () => { setTimeout(run: () => void, millis: number): unknown }, millis: number) =>
  new Promise<boolean>(resolve => {
    clock().setTimeout(() => {
      resolve(true)
    }, millis)
  })

// Each has a token that is signed and verified.
const many = runs(100, 400)

// Promise: few-questions-at-once
describe('mayKnow', () => {
  it(`of ${many} readers and 50 events is asked eight questions at once, and each page is told of all`, async () => {
    const one = await readers(many, () => after(() => one.clock, 10))
    for (let each = 0; each < 50; each++) one.say(`id-${each}`, `team-${each}`)
    await one.clock.advance(30_000)
    expect(one.asked).toMatchObject({ most: 8, open: 0 })
    expect(one.asked.users).toHaveLength(50 * many)
    expect(new Set(one.counts())).toEqual(new Set(['50 team.updated']))
  })

  it('is asked once for each user about 50 events of one subject, again where a question is on its way', async () => {
    const one = await readers(many, () => after(() => one.clock, 10))
    for (let each = 0; each < 50; each++) one.say(`id-${each}`)
    await one.clock.advance(2000)
    expect(one.asked).toMatchObject({ most: 8, open: 0 })
    expect(one.asked.users).toHaveLength(many + 8)
    expect(new Set(one.counts())).toEqual(new Set(['50 team.updated']))
  })

  it('is asked eight questions at once when 200 pages come back, one for each user and subject', async () => {
    const one = await readers(40, () => after(() => one.clock, 10))
    const { lastId } = one.pages[0]!
    for (const page of one.pages) page.leave()
    for (let each = 0; each < 8; each++) one.say(`id-${each}`, `team-${each}`)
    expect(one.asked.users).toEqual([])
    await one.clock.advance(1)
    const back = await Promise.all(Array.from({ length: 200 }, (_, place) => one.open(place % 40, lastId)))
    await one.clock.advance(5000)
    expect(one.asked).toMatchObject({ most: 8, open: 0 })
    expect(one.asked.users.length).toBeLessThanOrEqual(40 * 8 + 8)
    expect(new Set(back.map(page => page.take().length))).toEqual(new Set([8]))
  })

  it('is asked anew about an event that comes while it answers, as the answer may be older', async () => {
    const answers: ((may: boolean) => void)[] = []
    const one = await readers(1, () => new Promise(resolve => void answers.push(resolve)))
    one.say('before-the-user-joins')
    await one.clock.advance(1)
    one.say('after-it')
    one.say('and-later')
    await one.clock.advance(1)
    expect(answers).toHaveLength(1)
    answers[0]!(false)
    await one.clock.advance(1)
    answers[1]!(true)
    await one.clock.advance(1)
    expect(one.counts()).toEqual(['2 team.updated'])
    expect(answers).toHaveLength(2)
  })

  it('has one question at once about a user and a subject, also while others are answered', async () => {
    let first = ''
    const one = await readers(2, userId => {
      first ||= userId
      return after(() => one.clock, userId === first ? 1000 : 10)
    })
    one.say('id-1')
    await one.clock.advance(1)
    one.say('id-2')
    one.say('id-3', 'another team')
    await one.clock.advance(500)
    expect(one.asked.users.filter(userId => userId === first)).toHaveLength(2)
    await one.clock.advance(2000)
    expect(one.counts()).toEqual(['3 team.updated', '3 team.updated'])
  })

  it.each<[string, number, () => Promise<boolean>]>([
    ['rejects', 100, () => Promise.reject(new Error('no database'))],
    [
      'throws at once',
      100,
      () => {
        throw new Error('no database')
      },
    ],
    // Eight at the start, and after ten and twenty seconds.
    ['does not answer', 24, () => new Promise(() => undefined)],
  ])('that %s holds up nothing: pages are told that they have missed something', async (_, count, mayKnow) => {
    let isDown = true
    const one = await readers(100, () => (isDown ? mayKnow() : true))
    one.say('id')
    await one.clock.advance(29_999)
    expect(one.asked.users).toHaveLength(count)
    await one.clock.advance(12_000)
    expect(new Set(one.counts())).toEqual(new Set(['1 missed']))
    // The questions that were asked, and once that others were not.
    expect(one.reports).toHaveLength(count === 24 ? 25 : 100)
    isDown = false
    one.say('later')
    await one.clock.advance(1)
    expect(new Set(one.counts())).toEqual(new Set(['1 team.updated']))
  })

  it('that answers after ten seconds is not waited for, and its answer tells nothing', async () => {
    const one = await readers(9, () => after(() => one.clock, 15_000))
    one.say('id')
    await one.clock.advance(10_001)
    // The ninth takes the place of another.
    expect(one.asked.users).toHaveLength(9)
    await one.clock.advance(30_000)
    expect(new Set(one.counts())).toEqual(new Set(['1 missed']))
    expect(one.reports).toHaveLength(9)
  })

  it('is not asked about a user whose last page leaves while the question waits', async () => {
    const one = await readers(20, () => after(() => one.clock, 1000))
    one.say('id')
    await one.clock.advance(1)
    for (const page of one.pages.slice(8, 19)) page.leave()
    await one.clock.advance(5000)
    expect(one.asked.users).toHaveLength(9)
    expect(one.pages[19]!.take()).toEqual(['team.updated'])
    expect(one.reports).toEqual([])
  })

  it('that rejects after the page has left tells nothing, and no rejection is unhandled', async () => {
    const one = await readers(20, async () => {
      await after(() => one.clock, 1000)
      throw new Error('no database')
    })
    const left = new AbortController()
    const { lastId } = one.pages[0]!
    one.say('id')
    const back = await one.open(0, lastId, left.signal)
    await one.clock.advance(1)
    left.abort()
    for (const page of one.pages) page.leave()
    await one.clock.advance(20_000)
    expect(one.asked.users).toHaveLength(8)
    expect(one.reports).toHaveLength(8)
    expect([back.end, back.take()]).toEqual(['ended', []])
  })

  it('is asked eight questions at once while pages leave and come back in a burst, and each is told or misses something', async () => {
    let place = 0
    const one = await readers(30, async () => {
      const answer = ++place
      await after(() => one.clock, 30)
      if (answer % 5 === 0) throw new Error('no database')
      return true
    })
    const { lastId } = one.pages[0]!
    for (let each = 0; each < 40; each++) {
      one.say(`id-${each}`, `team-${each % 10}`)
      if (each % 2 === 0) one.pages[each % 30]!.leave()
      one.pages.push(await one.open(each % 30, lastId))
      await one.clock.advance(7)
    }
    await one.clock.advance(60_000)
    expect(one.asked).toMatchObject({ most: 8, open: 0 })
    expect(one.pages.filter(page => page.end === 'open' && page.take().length === 0)).toEqual([])
  })

  it('is asked nothing more after close()', async () => {
    const one = await readers(20, () => after(() => one.clock, 1000))
    one.say('id')
    await one.clock.advance(1)
    one.live.close()
    await one.clock.advance(20_000)
    expect(one.asked.users).toHaveLength(8)
    expect(one.reports).toEqual([])
  })

  it('with more than 50,000 questions that wait is asked no more, and the pages are told so', async () => {
    const one = await readers(100, () => new Promise(() => undefined))
    for (let each = 0; each < 600; each++) one.say(`id-${each}`, `team-${each}`)
    await one.clock.advance(9999)
    expect(one.reports).toEqual([
      expect.objectContaining({ message: expect.stringContaining('50000 questions wait') as string }),
    ])
    await one.clock.advance(1)
    expect(new Set(one.counts())).toEqual(new Set(['1 missed']))
    await one.clock.advance(60_000)
    one.reports.length = 0
    one.say('again')
    await one.clock.advance(60_000)
    const isRefused = (error: unknown) => /a question has waited for 30 seconds/.test((error as Error).message)
    expect(one.reports.filter(isRefused)).toHaveLength(1)
  })

  it('with more than 50,000 events that wait for an answer is asked no more, also where they share a question', async () => {
    const one = await readers(100, () => new Promise(() => undefined))
    for (let each = 0; each < 600; each++) one.say(`id-${each}`)
    await one.clock.advance(9999)
    expect(one.reports).toEqual([
      expect.objectContaining({ message: expect.stringContaining('50000 questions wait') as string }),
    ])
    expect(one.asked.users).toHaveLength(8)
    await one.clock.advance(60_000)
    for (const page of one.pages) expect(new Set(page.take())).toEqual(new Set(['missed']))
    // None of them is counted for ever.
    one.reports.length = 0
    for (let each = 0; each < 400; each++) one.say(`again-${each}`)
    await one.clock.advance(9999)
    expect(one.reports).toEqual([])
  })
})
