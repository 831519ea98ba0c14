import { listen } from 'rxauth/platform/node'
import { turns as eventLoop, sliceLength } from '../../../src/platform/data/page'
import type { DataSnapshot } from '../../../src/platform/data/journal'
import { accessTokenOf, ada, ask, keysFor, wireWorld } from '../wire-world'
import type { World } from '../wire-world'

const count = 3 * sliceLength + 7
const users = Array.from({ length: count }, (_, index) => ({
  email: `user-${index}@example.com`,
  displayName: index % 2 === 0 ? `Grace "${index}"\n` : 'Žofie 👩‍🚀',
  verified: true,
}))

/** Many users, and Ada. */
const world = () => wireWorld({ seed: { users: [ada, ...users] } })
const asServer = ({ platform }: World) => keysFor(platform, 'server')
const idsIn = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id)

/** Counts the turns of the event loop, and runs a function in the first one. */
function watchTurns(run: () => void = () => undefined) {
  const turns: unknown[] = []
  const real = eventLoop.next
  const spy = jest.spyOn(eventLoop, 'next').mockImplementation(() => {
    if (turns.push('turn') === 1) run()
    return real()
  })
  return { turns, restore: () => spy.mockRestore() }
}

describe('a list that is sent in parts', () => {
  it.each([undefined, 'text/html'])('has the same text as in one part, for Accept %s', async accept => {
    const one = world()
    const { text, body } = await one.ask('GET /users', { access: 'server', headers: accept ? { accept } : {} })
    expect(body.items).toHaveLength(count + 1)
    expect(text).toBe(JSON.stringify(body, null, accept ? 2 : undefined))
    expect(body).toMatchObject({ is_paginated: true, pagination: { next_cursor: null } })
    expect(text.length).toBeGreaterThan(200_000)
  })

  it('is built in slices, and a page is not', async () => {
    const one = world()
    const { turns, restore } = watchTurns()
    await one.ask('GET /users?limit=50', { access: 'server' })
    expect(turns).toHaveLength(0)
    await one.ask('GET /users', { access: 'server' })
    restore()
    expect(turns).toHaveLength(3)
  })

  it('reads few rows in a slice even if none match', async () => {
    const one = world()
    await one.ask('GET /users?query=ada', { access: 'server' })
    const { turns, restore } = watchTurns()
    expect((await one.ask('GET /users?query=zz', { access: 'server' })).body.items).toEqual([])
    restore()
    expect(turns).toHaveLength(3)
  })

  it.each(['GET /contact-channels', 'GET /teams'])('may be any list: %s', async line => {
    const teams = Array.from({ length: count }, (_, index) => ({ displayName: `Team ${index}` }))
    const one = wireWorld({ seed: { users: [ada, ...users], teams } })
    const { turns, restore } = watchTurns()
    const { text, body } = await one.ask(line, { access: 'server' })
    restore()
    expect(turns).toHaveLength(3)
    expect(body.items.length).toBeGreaterThanOrEqual(count)
    expect(text).toBe(JSON.stringify(body))
  })

  it('shows the rows of one time, without writes between slices', async () => {
    const one = world()
    const before = await one.ask('GET /users', { access: 'server' })
    const ids = idsIn(before.body)
    const written: Promise<unknown>[] = []
    const { restore } = watchTurns(() => {
      written.push(one.ask(`DELETE /users/${ids.at(-1)!}`, { access: 'server' }))
      written.push(one.ask(`PATCH /users/${ids.at(-2)!}`, { access: 'server', body: { display_name: 'Written' } }))
      written.push(one.ask('POST /users', { access: 'server', body: { primary_email: 'new@example.com' } }))
    })
    const during = await one.ask('GET /users', { access: 'server' })
    restore()
    const statuses = (await Promise.all(written)).map(answer => (answer as { readonly status: number }).status)
    expect(statuses).toEqual([200, 200, 201])
    expect(during.text).toBe(before.text)
    const after = await one.ask('GET /users', { access: 'server' })
    expect(idsIn(after.body)).toEqual([...ids.slice(0, -1), expect.any(String)])
    expect(after.text).toContain('Written')
  })

  it('holds up no other request', async () => {
    const one = world()
    const order: string[] = []
    const { restore } = watchTurns(() => {
      void one.ask('GET /projects/current').then(() => order.push('project'))
    })
    await one.ask('GET /users', { access: 'server' }).then(() => order.push('users'))
    restore()
    expect(order).toEqual(['project', 'users'])
  })

  it('stops for a client that has disconnected', async () => {
    const one = world()
    const controller = new AbortController()
    const { turns, restore } = watchTurns(() => controller.abort(new Error('gone')))
    const url = `${one.platform.options.baseUrl}/api/v1/users`
    const request = new Request(url, { headers: asServer(one), signal: controller.signal })
    await expect(one.platform.fetch(request)).rejects.toThrow('gone')
    restore()
    expect(turns).toHaveLength(1)
    expect((await one.ask('GET /users?limit=1', { access: 'server' })).status).toBe(200)
  })

  it('has only its headers for HEAD', async () => {
    const answer = await world().ask('HEAD /users', { access: 'server' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  it('can be cut in half by a fault, and be lost', async () => {
    const one = world()
    const whole = await one.ask('GET /users', { access: 'server' })
    one.platform.faults.next('GET /users', { body: 'truncated' })
    const half = await one.ask('GET /users', { access: 'server' })
    expect(half.text).toBe(whole.text.slice(0, whole.text.length / 2))
    const lost = one.ask('GET /users', { access: 'server' })
    one.platform.faults.next('GET /users', { loseResponse: true })
    await expect(lost).rejects.toThrow('fetch failed')
  })

  it('is streamed over HTTP, and ends when the client disconnects', async () => {
    const one = world()
    const whole = await one.ask('GET /users', { access: 'server' })
    const { url, close } = await listen(one.platform, { port: 0 })
    try {
      const short = await fetch(`${url}/api/v1/users?limit=1`, { headers: asServer(one) })
      expect(short.headers.get('content-length')).toBe(String((await short.arrayBuffer()).byteLength))
      const long = await fetch(`${url}/api/v1/users`, { headers: asServer(one) })
      expect(await long.text()).toBe(whole.text)
      const left = new AbortController()
      const begun = await fetch(`${url}/api/v1/users`, { headers: asServer(one), signal: left.signal })
      left.abort()
      await expect(begun.text()).rejects.toThrow()
      const next = await fetch(`${url}/api/v1/users?limit=1`, { headers: asServer(one) })
      expect(next.status).toBe(200)
    } finally {
      await close()
    }
  })
})

describe('a search', () => {
  it('reads all users in slices, and holds up no other request', async () => {
    const one = world()
    const order: string[] = []
    const { turns, restore } = watchTurns(() => {
      void one.ask('GET /projects/current').then(() => order.push('project'))
    })
    const { body } = await one.ask('GET /users?query=user-77@', { access: 'server' })
    order.push('users')
    restore()
    expect(body.items).toMatchObject([{ primary_email: 'user-77@example.com' }])
    expect(turns.length).toBeGreaterThanOrEqual(3)
    expect(order).toEqual(['project', 'users'])
  })

  it('is refused without the permission', async () => {
    const one = world()
    const { turns, restore } = watchTurns()
    const answer = await one.ask('GET /users?query=ada', { accessToken: await accessTokenOf(one) })
    restore()
    expect([answer.status, turns.length]).toEqual([401, 0])
  })
})

it('a list that is read in slices has its own rows, even after a later search', async () => {
  const one = world()
  const query = 'GET /users?query=example'
  const before = await one.ask(query, { access: 'server' })
  const last = idsIn(before.body).at(-1)!
  const others: Promise<unknown>[] = []
  const { restore } = watchTurns(() => {
    others.push(
      ask(one.platform, `PATCH /users/${last}`, { access: 'server', body: { primary_email: 'x@elsewhere.org' } }).then(
        () => one.ask('GET /users?query=elsewhere', { access: 'server' }),
      ),
    )
  })
  const during = await one.ask(query, { access: 'server' })
  restore()
  await Promise.all(others)
  expect(during.text).toBe(before.text)
  expect(idsIn((await one.ask(query, { access: 'server' })).body)).not.toContain(last)
})

describe('the first request after many rows were filled in', () => {
  /** Users with a session each, 8,000 of each. */
  async function filled() {
    const one = wireWorld({ seed: { users: [ada] } })
    await one.platform.tokensFor(ada.email)
    const snapshot = one.platform.snapshot() as DataSnapshot
    const [[projectId, tables]] = Object.entries(snapshot.projects).filter(([, { users }]) => users?.length === 1) as [
      [string, DataSnapshot['projects'][string]],
    ]
    const many = (name: string) =>
      tables[name]!.flatMap(row =>
        Array.from({ length: 8000 }, (_, index) =>
          index === 0 ? row : { ...row, id: crypto.randomUUID(), userId: crypto.randomUUID() },
        ),
      )
    const copied = Object.fromEntries(['users', 'contactChannels', 'sessions'].map(name => [name, many(name)]))
    one.platform.restore({ ...snapshot, projects: { ...snapshot.projects, [projectId]: { ...tables, ...copied } } })
    return one
  }

  it.each(['GET /users?limit=5', 'GET /users?query=ada&limit=5'])('is answered: %s', async line => {
    const one = await filled()
    const { status, body } = await one.ask(line, { access: 'server' })
    expect([status, body.items[0].primary_email]).toEqual([200, ada.email])
  })

  it('signs in once', async () => {
    const one = await filled()
    const body = { email: ada.email, password: ada.password }
    const before = one.platform.snapshot()
    const { status } = await one.ask('POST /auth/password/sign-in', { body })
    const sessions = (snapshot: object) =>
      Object.values((snapshot as DataSnapshot).projects).flatMap(({ sessions: rows = [] }) => rows).length
    expect([status, sessions(one.platform.snapshot()) - sessions(before)]).toEqual([200, 1])
  })
})
