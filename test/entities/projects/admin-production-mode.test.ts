import { productionModeErrors } from 'rxauth/admin'
import { adminWorld } from '../admin-world'

describe('production mode', () => {
  // Promise: sparse-answers
  it('is a store of its obstacles, in the order of the settings, each with its domain', async () => {
    const { admin, inTime } = await adminWorld()
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
