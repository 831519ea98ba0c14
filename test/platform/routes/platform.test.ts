import { expectRefusal, wireWorld } from '../wire-world'
const nobody = { access: null } as const

describe("the check of a client's version", () => {
  it.each([
    ['2.8.18', { upToDate: true }],
    ['2.8.19', { upToDate: true }],
    ['2.10.0', { upToDate: true }],
    ['3.0.0', { upToDate: true }],
    ['2.8.17', { upToDate: false, error: expect.stringContaining('2.8.17') as unknown, severe: false }],
    ['2.7.99', { upToDate: false, error: expect.any(String) as unknown, severe: false }],
    ['1.9.9', { upToDate: false, error: expect.any(String) as unknown, severe: true }],
    ['latest', { upToDate: false, error: expect.any(String) as unknown, severe: true }],
  ])('of %s answers so, in camelCase', async (clientVersion, expected) => {
    const { status, body } = await wireWorld().ask('POST /check-version', { ...nobody, body: { clientVersion } })
    expect([status, body]).toEqual([200, expected])
  })

  it.each([
    ['nothing', {}],
    ['an empty object', { body: {} }],
    ['the other spelling', { body: { client_version: '2.8.18' } }],
    ['something else besides', { body: { clientVersion: '2.8.18', os: 'x' } }],
    ['no text', { body: { clientVersion: [] } }],
    ['a list', { body: [] }],
  ])('refuses %s by its form', async (_, how) => {
    expectRefusal(await wireWorld().ask('POST /check-version', { ...nobody, ...how }), 'SCHEMA_ERROR')
  })
})
