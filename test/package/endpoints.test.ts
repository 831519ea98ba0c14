import { declaredEndpoints } from '../declared-endpoints'
import { lineOf, servedAt } from '../docs/reference-endpoints'

const endpoints = new Map(declaredEndpoints().map(endpoint => [lineOf(endpoint), endpoint]))

describe('the endpoints that the kit declares', () => {
  it('are found inside and outside of definitions', () => {
    expect([...endpoints.keys()]).toEqual(
      expect.arrayContaining(['GET /users/me client', 'POST /auth/oauth/token client', 'DELETE /users/me client']),
    )
  })

  it.each([...endpoints])('%s is answered by the local platform', (_, endpoint) => {
    expect([...servedAt('2.8.18', endpoint), ...servedAt('2026', endpoint)]).not.toEqual([])
  })
})
