import fc from 'fast-check'
import { orThrow } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { runs } from '../../runs'
import { answered, intercept } from '../../session/intercept'
import { ada, world } from '../../world'
import { backend, restrictedBackend } from './users-world'

describe('a page of users', () => {
  it('rejects an order unknown to the platform', async () => {
    const { server, settled, requests } = await backend()
    const before = requests.length
    const wrong = { orderBy: 'signed_up_at' as 'signedUpAt' }
    await expect(settled(server.users$(wrong).get())).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(requests).toHaveLength(before)
  })
})

it('a user of an unknown id is null', async () => {
  const { server, settled } = await backend()
  expect(await settled(server.userById$({ userId: '00000000-0000-4000-8000-000000000000' }).get())).toBeNull()
})

/** What happens while the consumer looks at one user: another is created or deleted. */
const happenings = fc.array(fc.oneof(fc.constant('create' as const), fc.nat(60), fc.constant('nothing' as const)), {
  maxLength: 60,
})

describe('going over all users of a platform that repeats itself', () => {
  type Row = Readonly<Record<'id', string>>

  // Promise: repeated-page
  it.each<[what: string, answer: (rows: readonly Row[], turn: number) => { items: readonly Row[]; next: Row }]>([
    ['one page', ([first]) => ({ items: [first!], next: first! })],
    ['two pages by turns', (rows, turn) => ({ items: [rows[turn % 2]!], next: rows[(turn + 1) % 2]! })],
    ['an empty page', ([first]) => ({ items: [], next: first! })],
  ])('ends with an error where it gives %s again and again', async (_, answer) => {
    const { platform, settled, clock } = await world()
    let turn = 0
    const server = createServerApp({
      ...platform.serverOptions,
      fetch: intercept(platform.options.fetch, async request => {
        const whole = await platform.options.fetch(request.url.replace(/\?.*$/, ''), { headers: request.headers })
        const { items: rows } = (await whole.json()) as { items: readonly Row[] }
        const { items, next } = answer(rows, turn++)
        return answered(200, { items, is_paginated: true, pagination: { next_cursor: next.id } })
      }),
    })
    const given: string[] = []
    const run = (async () => {
      for await (const { id } of server.listUsers({ pageSize: 1 })) {
        given.push(id)
        // The same page comes from its store, without a request: a loop without an end would leave the clock no turn.
        if (given.length === 20) throw new Error('the list has no end')
      }
    })()
    run.catch(() => undefined)
    await clock.advance(10_000)
    await expect(settled(run)).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(given.length).toBeLessThan(4)
  })
})

describe('going over all users while others are made and deleted', () => {
  // Promise: list-of-all-users
  it('gives every user who stays once, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 7 }),
        happenings,
        async (count, pageSize, happening) => {
          const { platform, clock } = await world({ platform: { seed: { users: [ada] } } })
          const users = Array.from({ length: count - 1 }, (_, index) => ({ displayName: `#${index}` }))
          await platform.seed({ users })
          const [server, elsewhere] = [createServerApp(platform.serverOptions), createServerApp(platform.serverOptions)]
          const started = new Set((await clock.settled(elsewhere.users$().get())).items.map(({ id }) => id))
          const stays = new Set(started)
          const there = new Set(started)
          const given: string[] = []
          let isDone = false
          const run = (async () => {
            let step = 0
            for await (const { id } of server.listUsers({ pageSize })) {
              given.push(id)
              const what = happening[step++] ?? 'nothing'
              if (what === 'create') {
                const created = await elsewhere.createUser({ displayName: 'late' })
                if (created.ok) there.add(created.value.id)
              } else if (what !== 'nothing') {
                // The one that is being looked at stays: where a whole page is gone, the list cannot go on.
                const others = [...there].filter(other => other !== id)
                const gone = others[what % Math.max(1, others.length)]
                if (gone === undefined) continue
                await elsewhere.deleteUserById({ userId: gone })
                there.delete(gone)
                stays.delete(gone)
              }
            }
          })().finally(() => (isDone = true))
          run.catch(() => undefined)
          for (let tries = 0; !isDone && tries < 1000; tries++) await clock.advance(300)
          await run
          expect(new Set(given).size).toBe(given.length)
          expect([...stays].filter(id => !given.includes(id))).toEqual([])
          // In the order of their sign-up, which is that of the list.
          expect(given.filter(id => started.has(id))).toEqual([...started].filter(id => given.includes(id)))
          for (const app of [server, elsewhere, platform]) app.dispose()
        },
      ),
      { seed: 18, numRuns: runs(10, 300) },
    )
  })
})

describe('the list of users', () => {
  // Promise: server-restrictions
  it.each([
    [{}, ['Ada']],
    [{ includeRestricted: true }, ['Ada', 'Grace']],
    [{ includeAnonymous: true }, ['Ada', 'Grace', null]],
    [{ includeAnonymous: true, includeRestricted: true }, ['Ada', 'Grace', null]],
    [{ includeAnonymous: true, onlyAnonymous: true }, [null]],
  ])('with %j has %j', async (filter, names) => {
    const { server, settled, inTime } = await restrictedBackend()
    const { items } = await settled(server.users$(filter).get())
    expect(items.map(({ displayName }) => displayName)).toEqual(names)
    const all: (string | null)[] = []
    const listing = (async () => {
      for await (const { displayName } of server.listUsers({ ...filter, pageSize: 1 })) all.push(displayName)
    })()
    await inTime(listing)
    expect(all).toEqual(names)
  })

  // Promise: server-restrictions
  it('of anonymous users only needs them to be included', async () => {
    const { server, inTime, requests } = await restrictedBackend()
    const before = requests.length
    const details = { field: 'onlyAnonymous', reason: 'needs includeAnonymous: true' }
    for (const filter of [{ onlyAnonymous: true }, { onlyAnonymous: true, includeAnonymous: false }])
      await expect(inTime(server.users$(filter).get())).rejects.toMatchObject({ code: 'INVALID_INPUT', details })
    expect(requests).toHaveLength(before)
    expect((await inTime(server.users$({ onlyAnonymous: false }).get())).items).toHaveLength(1)
  })

  // Promise: server-restrictions
  it('leaves out the users with an address of a domain', async () => {
    const { server, inTime } = await restrictedBackend()
    for (const primaryEmail of ['a@shop.example', 'b@sub.shop.example', 'c@bank.example'])
      orThrow(await inTime(server.createUser({ primaryEmail })))
    orThrow(await inTime(server.createUser({ displayName: 'without address' })))
    const left = async (excludedEmailDomains: readonly string[]) => {
      const { items } = await inTime(server.users$({ excludedEmailDomains: [...excludedEmailDomains] }).get())
      return items.map(({ primaryEmail, displayName }) => primaryEmail ?? displayName)
    }
    const all = [ada.email, 'a@shop.example', 'b@sub.shop.example', 'c@bank.example', 'without address']
    expect(await left([])).toEqual(all)
    expect(await left(['Shop.example '])).toEqual(all.filter(one => one !== 'a@shop.example'))
    expect(await left(['shop.example', 'bank.example'])).toEqual([ada.email, 'b@sub.shop.example', 'without address'])
  })

  // Promise: server-restrictions
  it('may be in the order of the last activity', async () => {
    const { server, inTime, clock, platform } = await restrictedBackend()
    await clock.advance(60_000)
    await inTime(server.withTokens(await platform.tokensFor(ada.email)).user$.get())
    const filter = { orderBy: 'lastActiveAt', includeAnonymous: true } as const
    const names = async (desc: boolean) =>
      (await inTime(server.users$({ ...filter, desc }).get())).items.map(({ displayName }) => displayName)
    expect(await names(true)).toEqual(['Ada', null, 'Grace'])
    expect(await names(false)).toEqual(['Grace', null, 'Ada'])
  })
})
