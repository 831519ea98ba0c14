import { locationIn } from '../../../src/platform/http/reply'

const inHeaders = (headers: Record<string, string>) => locationIn(new Headers(headers))

describe('the place of a request', () => {
  it('has only what is said', () => {
    expect(inHeaders({ 'x-forwarded-for': '203.0.113.7' })).toEqual({ ip: '203.0.113.7' })
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
