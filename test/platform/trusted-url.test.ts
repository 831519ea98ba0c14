import { Journal } from '../../src/platform/data/journal'
import { isTrustedUrl } from '../../src/platform/trusted-url'
import { createProjects } from '../../src/platform/seed'
import { schema } from '../../src/platform/tables'

const domains = [
  { domain: 'https://shop.example.com', handlerPath: '/handler' },
  { domain: 'http://intranet.example:8080/app', handlerPath: '/handler' },
]

function project(allowLocalhost: boolean) {
  const journal = new Journal(schema)
  return journal.runNow(database => createProjects(database, 0, { config: { allowLocalhost, domains } }, false))
}

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
    expect(isTrustedUrl(url, project(true))).toBe(isTrusted)
    expect(isTrustedUrl(url, project(false))).toBe(false)
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
    expect(isTrustedUrl(url, project(false))).toBe(isTrusted)
  })
})
