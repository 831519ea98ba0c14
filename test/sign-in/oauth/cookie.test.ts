import { comeBack, flowCookies } from './callback-world'
import { home, parameter, signInPage } from '../../oauth-web'
import { web } from './web'

describe('the cookie of a flow', () => {
  it.each([
    ['http://localhost:3000', false],
    ['https://app.example.com', true],
  ])('on %s is for the whole site, lax, an hour long, and secure: %s', async (origin, isSecure) => {
    const written: string[] = []
    const jar = web.jar.on(origin)
    const cookies = {
      get: () => jar.get(),
      set(text: string) {
        written.push(text)
        jar.set(text)
      },
    }
    const tab = web.open(`${origin}/sign-in`, { host: { cookies } })
    const url = await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))
    expect(written).toEqual([
      expect.stringMatching(/^stack-oauth-outer-[\w-]{43}=[^;]+; path=\/; max-age=3600; SameSite=Lax/),
    ])
    expect(written[0]!.endsWith('; Secure')).toBe(isSecure)
    expect(written[0]).toContain(parameter(url, 'state'))
  })

  it('is one of five: flows given up again and again do not fill the header', async () => {
    const vendors = `stack-oauth-outer-${'v'.repeat(43)}=${'w'.repeat(43)}; path=/`
    web.jar.on(home).set(vendors)
    const backs: string[] = []
    const tab = web.open()
    for (let begun = 0; begun < 8; begun++) {
      tab.load(signInPage)
      backs.push(await web.walk(await tab.left(tab.app.signInWithOAuth({ provider: 'github' }))))
      await web.clock.advance(1000)
    }
    const states = flowCookies().map(({ name }) => name.slice('stack-oauth-outer-'.length))
    expect(states.sort()).toEqual([...backs.slice(3).map(back => parameter(back, 'state')), 'v'.repeat(43)].sort())
    expect(await comeBack(tab, backs[3]!)).toMatchObject({ result: { ok: true } })
  })
})
