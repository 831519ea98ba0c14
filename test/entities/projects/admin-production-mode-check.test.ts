import { productionModeErrors, type ProductionModeError } from 'rxauth/admin'
import type { OwnedProject } from 'rxauth'

describe('production mode', () => {
  it.each<[ProductionModeError['problem'] | null, string]>([
    [null, 'https://shop.example.com'],
    [null, 'https://shop.example.com:8443'],
    [null, 'https://xn--bcher-kva.example'],
    [null, 'https://bücher.example'],
    [null, 'https://localhost.example.com'],
    [null, 'https://127.example.com'],
    [null, 'https://1.2.3.example'],
    ['not-a-url', ''],
    ['not-a-url', 'shop.example.com'],
    ['not-a-url', 'https://'],
    ['not-a-url', 'https://1.2.3.4.5'],
    ['not-a-url', 'https://shop.example.com:99999'],
    ['not-a-url', 'https://shop.example.com:4*'],
    [null, 'https://*.example.com'],
    [null, 'https://*.example.com:*'],
    ['not-https', 'http://*.example.com:*'],
    ['localhost', 'http://localhost:*'],
    ['localhost', 'https://localhost'],
    ['localhost', 'http://localhost:3000'],
    ['localhost', 'https://LOCALHOST'],
    ['localhost', 'https://localhost.'],
    ['localhost', 'https://app.localhost'],
    ['localhost', 'https://127.0.0.1'],
    ['localhost', 'https://127.1'],
    ['localhost', 'https://0x7f.0.0.1'],
    ['localhost', 'https://2130706433'],
    ['localhost', 'https://[::1]'],
    ['bare-ip', 'https://10.0.0.1'],
    ['bare-ip', 'http://203.0.113.7:8080'],
    ['bare-ip', 'https://0.0.0.0'],
    ['bare-ip', 'https://[2001:db8::1]'],
    ['bare-ip', 'https://[::ffff:127.0.0.1]'],
    ['not-https', 'http://shop.example.com'],
    ['not-https', 'ftp://shop.example.com'],
  ])('%s: %s', (problem, domain) => {
    expect(problemsOf(domain)).toEqual(problem === null ? [] : [problem])
  })
})

function problemsOf(domain: string) {
  const config = {
    allowLocalhost: false,
    domains: [{ domain, handlerPath: '/handler' }],
  } as unknown as OwnedProject['config']
  return productionModeErrors({ config }).map(({ problem }) => problem)
}
