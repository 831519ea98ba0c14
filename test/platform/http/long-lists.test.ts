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
})
