import { createAdminApp, productionModeErrors } from 'rxauth/admin'
import type { ProductionModeError } from 'rxauth/admin'
import type { OwnedProject } from 'rxauth'
import { world } from '../../world'

function problemsOf(domain: string) {
  const config = {
    allowLocalhost: false,
    domains: [{ domain, handlerPath: '/handler' }],
  } as unknown as OwnedProject['config']
  return productionModeErrors({ config }).map(({ problem }) => problem)
}

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

  it('is a store of its obstacles, in the order of the settings, each with its domain', async () => {
    const { platform, inTime } = await world()
    const admin = createAdminApp(platform.adminOptions)
    const shown: unknown[] = []
    admin.productionModeErrors$.subscribe(errors => shown.push(errors.map(({ problem, domain }) => [problem, domain])))
    const domains = ['http://b.example', 'https://a.example'].map(domain => ({ domain, handlerPath: '/handler' }))
    await inTime(admin.updateProject({ config: { allowLocalhost: true, domains } }))
    expect(shown.at(-1)).toEqual([
      ['localhost-allowed', undefined],
      ['not-https', 'http://b.example'],
    ])
    await inTime(admin.updateProject({ config: { allowLocalhost: false, domains: domains.slice(1) } }))
    expect(shown.at(-1)).toEqual([])
    for (const { message } of productionModeErrors({ config: (await inTime(admin.adminProject$.get())).config }))
      expect(message).not.toBe('')
  })
})
