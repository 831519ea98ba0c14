import { isTrustedUrl } from '../../../src/platform/directory/trusted-url'
import { newProjectConfig } from '../../../src/platform/model/projects'
import { rulesOf, type Wire } from '../../../src/platform/model/release'

const domains = [
  { domain: 'https://shop.example.com', handlerPath: '/handler' },
  { domain: 'http://intranet.example:8080/app', handlerPath: '/handler' },
]

function project(wire: Wire, allowLocalhost: boolean, trusted: readonly string[] = []) {
  const all = [...domains, ...trusted.map(domain => ({ domain, handlerPath: '/handler' }))]
  return { rules: rulesOf(wire), settings: { ...newProjectConfig, allowLocalhost, domains: all } }
}
const reference = (allowLocalhost: boolean) => project('2.8.18', allowLocalhost)

describe('a link may lead', () => {
  it.each([
    ['http://localhost:3000/a', true],
    ['https://app.localhost', true],
    ['http://127.0.0.1', true],
    ['http://127.9.9.9:1/a', true],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['http://[::1]/', false],
    ['javascript://localhost/%0aalert(1)', false],
    ['vbscript://localhost/', false],
    ['data://localhost/text/html,x', false],
    ['file://localhost/etc/hosts', false],
    ['unknown://localhost/', false],
  ])('to %s as localhost: %s', (url, isTrusted) => {
    expect(isTrustedUrl(reference(true), url)).toBe(isTrusted)
    expect(isTrustedUrl(reference(false), url)).toBe(false)
  })

  it.each([
    ['https://shop.example.com/anything', true],
    ['https://shop.example.com:444/anything', true],
    ['http://shop.example.com/anything', false],
    ['https://other.example.com', false],
    ['https://shop.example.com.evil.example', false],
    ['https://user@evil.example/https://shop.example.com', false],
    ['http://intranet.example/app/a', true],
    ['http://intranet.example/apple', true],
    ['http://intranet.example/', false],
    ['javascript:alert(1)', false],
    ['javascript://shop.example.com/%0aalert(1)', false],
    ['data:text/html,<script>alert(1)</script>', false],
    ['vbscript:msgbox(1)', false],
    ['unknown:anything', false],
    ['unknown://shop.example.com/', false],
    ['/relative', false],
  ])('to %s by domain: %s', (url, isTrusted) => {
    expect(isTrustedUrl(reference(false), url)).toBe(isTrusted)
  })
})

describe('a link may lead on the newer wire', () => {
  it.each([
    ['http://localhost:3000/a', true],
    ['javascript://localhost/%0aalert(1)', false],
  ])('to %s as localhost: %s', (url, isTrusted) => {
    expect(isTrustedUrl(project('2026', true), url)).toBe(isTrusted)
    expect(isTrustedUrl(project('2026', false), url)).toBe(false)
  })

  it.each([
    ['https://shop.example.com/anything', true],
    ['https://shop.example.com:443/anything', true],
    ['https://shop.example.com:444/anything', false],
    ['http://shop.example.com/anything', false],
    ['https://shop.example.com.evil.example', false],
    ['https://user@evil.example/https://shop.example.com', false],
    ['http://intranet.example:8080/', true],
    ['http://intranet.example/app/a', false],
    ['javascript://shop.example.com/%0aalert(1)', false],
    ['/relative', false],
  ])('to %s by origin: %s', (url, isTrusted) => {
    expect(isTrustedUrl(project('2026', false), url)).toBe(isTrusted)
  })

  it.each([
    ['https://*.example.com', 'https://api.example.com/a', true],
    ['https://*.example.com', 'https://API.example.com/a', true],
    ['https://*.example.com', 'https://a.b.example.com', false],
    ['https://*.example.com', 'https://example.com', false],
    ['https://*.example.com', 'https://evilexample.com', false],
    ['https://*.example.com', 'https://api.example.com:8443', false],
    ['https://*.example.com', 'http://api.example.com', false],
    ['https://*.example.com', 'https://evil.org/?api.example.com', false],
    ['https://**.example.com', 'https://a.b.example.com', true],
    ['https://**.example.com', 'https://example.com', false],
    ['https://**.example.com', 'https://evil.org#.example.com', false],
    ['http://*.example.com:3000/app', 'http://api.example.com:3000/other', true],
    ['http://*.example.com:*', 'http://api.example.com:1234', true],
    ['http://*.example.com:*', 'http://api.example.com', true],
    ['http://preview-*.example.com', 'http://preview-7.example.com', true],
    ['http://preview-*.example.com', 'http://preview-7.a.example.com', false],
    ['https://**.b.com', `https://${'a'.repeat(247)}.b.com`, true],
    // Longer than any hostname, so not matched against the wildcards.
    ['https://**.b.com', `https://${'a'.repeat(248)}.b.com`, false],
    ['https://**.a.**.a.**.a.b.com', `https://${'a.'.repeat(500_000)}com`, false],
    ['not a domain', 'https://example.com', false],
  ])('where %s is trusted to %.60s: %s', (domain, url, isTrusted) => {
    expect(isTrustedUrl(project('2026', false, [domain]), url)).toBe(isTrusted)
  })
})
