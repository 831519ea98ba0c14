import { isDomain, isOnDomain } from '../../src/core/domains'

it.each<[domain: string, expected: boolean]>([
  ['https://a.example', true],
  ['https://*.a.example:*', true],
  ['http://*', true],
  ['http://*:*', true],
  ['https://[::1]:*', true],
  ['https://a.example:*/app', true],
  ['https://a.example:0', true],
  ['https://a.example:65536', false],
  ['https://a.example:*0', false],
  ['https://a.example:*:*', false],
  ['https:\\\\a.example:*', false],
  ['https://@a.example', true],
  ['https://*@a.example', false],
  ['https://:x@a.example', false],
  ['https://a.example/\\*', false],
  ['myapp://a.example', false],
  ['*://a.example', false],
])('%s is a trusted domain: %s', (domain, expected) => {
  expect(isDomain(domain)).toBe(expected)
})

// Promise: domain-wildcards
it.each<[domain: string, url: string, expected: boolean]>([
  ['https://*.a.example', 'https://x.a.example/', true],
  ['https://*.a.example', 'https://x.a.example:443/', true],
  ['https://*.a.example', 'https://x.a.example:80/', false],
  ['http://*.a.example', 'http://x.a.example:80/', true],
  ['https://*.a.example:443', 'https://x.a.example/', true],
  ['https://a.*.example', 'https://a.x.example/', true],
  ['https://a.**.example', 'https://a.x.y.example/', true],
  ['https://***.example', 'https://xy.example/', true],
  ['https://*', 'https://localhost/', true],
  ['https://*', 'https://a.example/', false],
  ['https://[::1]:*', 'https://[::1]:8443/', true],
  ['https://1.2.3.*', 'https://1.2.3.4/', true],
  ['https://a.(b|c).example', 'https://a.b.example/', false],
])('%s has %s: %s', (domain, url, expected) => {
  expect(isOnDomain(new URL(url), domain)).toBe(expected)
})
