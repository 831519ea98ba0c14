import type { DataSnapshot } from '../../../src/platform/data/journal'
import { ada, wireWorld } from '../wire-world'

const count = 57
const users = Array.from({ length: count }, (_, index) => ({
  email: `user-${index}@example.com`,
  displayName: index % 2 === 0 ? `Grace "${index}"\n` : 'Žofie 👩‍🚀',
  verified: true,
}))

/** Many users, and Ada. */
const world = () => wireWorld({ seed: { users: [ada, ...users] } })

describe('a long list', () => {
  it.each([undefined, 'text/html'])('is written by JSON.stringify, for Accept %s', async accept => {
    const one = world()
    const { text, body } = await one.ask('GET /users', { access: 'server', headers: accept ? { accept } : {} })
    expect(body.items).toHaveLength(count + 1)
    expect(text).toBe(JSON.stringify(body, null, accept ? 2 : undefined))
    expect(body).toMatchObject({ is_paginated: true, pagination: { next_cursor: null } })
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
