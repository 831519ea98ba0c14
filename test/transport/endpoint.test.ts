import * as v from 'valibot'
import { email } from '../../src/core/wire'
import { endpoint, splitRoute } from '../../src/transport/endpoint'

describe('an endpoint', () => {
  it('knows where each input field goes', () => {
    const { places, fixed, route, access } = endpoint('PATCH /teams/{teamId}/members/{userId}', {
      access: 'server',
      body: { displayName: v.string() },
      query: { recursive: v.optional(v.boolean()) },
      fixed: { type: 'x' },
    })
    expect(places).toEqual({ teamId: 'path', userId: 'path', recursive: 'query', displayName: 'body' })
    expect({ fixed, route, access }).toEqual({
      fixed: { type: 'x' },
      route: 'PATCH /teams/{teamId}/members/{userId}',
      access: 'server',
    })
  })

  it('belongs to the session, has no expected failures and returns nothing by default', () => {
    const { ownedBy, fails, returns, fixed, places } = endpoint('GET /things', { access: 'client' })
    expect({ ownedBy, fails, returns, fixed, places }).toEqual({
      ownedBy: 'session',
      fails: [],
      returns: undefined,
      fixed: {},
      places: {},
    })
  })

  it('checks and normalises its input, and accepts nothing else', () => {
    const { input } = endpoint('POST /things/{thingId}', { access: 'client', body: { email: email() } })
    expect(v.parse(input, { thingId: 'x', email: ' A@b.CD ' })).toEqual({ thingId: 'x', email: 'a@b.cd' })
    expect(v.safeParse(input, { thingId: 'x', email: 'a@b.cd', more: 1 }).success).toBe(false)
    expect(v.safeParse(input, { thingId: '', email: 'a@b.cd' }).success).toBe(false)
    expect(v.safeParse(input, { thingId: 7, email: 'a@b.cd' }).success).toBe(false)
  })
})

it('a route is a method and a path', () => {
  expect(splitRoute('DELETE /things/{thingId}')).toEqual(['DELETE', '/things/{thingId}'])
})
