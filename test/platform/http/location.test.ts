import { locationIn } from '../../../src/platform/http/reply'

const inHeaders = (headers: Record<string, string>) => locationIn(new Headers(headers))

describe('the place of a request', () => {
  it('has only what is said', () => {
    expect(inHeaders({ 'x-forwarded-for': '203.0.113.7' })).toEqual({ ip: '203.0.113.7' })
  })
})
