import { locationIn } from '../../../src/platform/http/reply'

const inHeaders = (headers: Record<string, string>) => locationIn(new Headers(headers))

describe('the place of a request', () => {
  it('is that of the first address, with what the proxy says of it', () => {
    expect(
      inHeaders({
        'x-forwarded-for': ' 203.0.113.7 , 10.0.0.1',
        'x-vercel-ip-country': 'CH',
        'x-vercel-ip-country-region': 'ZH',
        'x-vercel-ip-city': 'Z%C3%BCrich',
        'x-vercel-ip-timezone': 'Europe/Zurich',
        'x-vercel-ip-latitude': '47.37',
        'x-vercel-ip-longitude': '-8.54',
      }),
    ).toEqual({
      ip: '203.0.113.7',
      countryCode: 'CH',
      regionCode: 'ZH',
      cityName: 'Zürich',
      tzIdentifier: 'Europe/Zurich',
      latitude: 47.37,
      longitude: -8.54,
    })
  })

  it('has only what is said', () => {
    expect(inHeaders({ 'x-forwarded-for': '203.0.113.7' })).toEqual({ ip: '203.0.113.7' })
  })

  it('leaves a text that is not percent-encoded as it is, and a number that is none out', () => {
    const place = { 'x-vercel-ip-city': '100%', 'x-vercel-ip-latitude': 'north' }
    expect(inHeaders({ 'x-forwarded-for': '::1', ...place })).toEqual({ ip: '::1', cityName: '100%' })
  })

  it.each([
    ['no address', { 'x-vercel-ip-city': 'Bern' }],
    ['an empty address', { 'x-forwarded-for': ' , 10.0.0.1' }],
    ["a server's request", { 'x-forwarded-for': '203.0.113.7', 'x-stack-access-type': 'server' }],
    ["an admin's request", { 'x-forwarded-for': '203.0.113.7', 'x-stack-access-type': 'admin' }],
  ])('is null for %s', (_, headers) => {
    expect(inHeaders(headers as Record<string, string>)).toBeNull()
  })
})
