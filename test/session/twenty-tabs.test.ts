import type { TokenStore } from 'rxauth'
import { wait } from '../../src/core/clock'
import { runs } from '../runs'
import { browser, type Tab } from '../tabs'
import { ada } from '../world'

const tenMinutes = 600_000
const expiries = 3

/** Twenty tabs of one browser with slow requests; the platform accepts no refresh token twice. */
async function twenty(seed: number) {
  const shared = browser({ rotation: { graceMillis: 0 }, startSeed: seed })
  const { clock, platform, refreshes, signIn, tab } = shared
  const upTo = (limit: number) => Math.floor(clock.random() * limit)
  const fetch: typeof globalThis.fetch = async (...args) => {
    await wait(clock, upTo(200))
    const answer = await platform.options.fetch(...args)
    await wait(clock, upTo(200))
    return answer
  }
  await signIn(ada)
  const tabs = Array.from({ length: 20 }, () => tab({ fetch }))
  const statuses = tabs.map(({ app }) => {
    const seen: string[] = []
    app.auth$.subscribe(auth => seen.push(auth.status === 'signed-out' ? auth.reason : auth.status))
    return seen
  })
  const show = (isVisible: boolean) => tabs.forEach((each: Tab) => each.show(isVisible))
  await clock.advance(5000)
  return { clock, refreshes, tabs, statuses, show, upTo }
}

it.each(Array.from({ length: runs(3, 25) }, (_, index) => index + 1))(
  'twenty tabs that need a token within two seconds refresh once, and stay signed in: seed %i',
  async seed => {
    const { clock, refreshes, tabs, statuses, show, upTo } = await twenty(seed)
    for (let expiry = 1; expiry <= expiries; expiry++) {
      // Hidden, so that no tab polls its cookies meanwhile.
      show(false)
      await clock.advance(tenMinutes)
      const calls = tabs.map(async ({ app }) => {
        await wait(clock, upTo(2000))
        return app.accessToken()
      })
      show(true)
      await clock.advance(5000)
      const tokens = await clock.settled(Promise.all(calls))
      expect(new Set(tokens).size).toBe(1)
      expect(tokens[0]).toEqual(expect.any(String))
      expect(refreshes()).toBe(expiry)
    }
    for (const seen of statuses) expect(seen).toEqual(['unknown', 'signed-in'])
    for (const { app } of tabs) app.dispose()
  },
)

it('two tabs refresh once over a store that takes longer to write than the second one looks again', async () => {
  const { clock, platform, refreshes, tab } = browser({ rotation: { graceMillis: 0 } })
  const inner = await platform.tokensFor(ada.email)
  const tokens: TokenStore = {
    sharedAs: 'rxauth:slow',
    read: async () => Promise.resolve(inner.read()),
    async replace(expected, next) {
      await wait(clock, 1000)
      return inner.replace(expected, next)
    },
  }
  await clock.advance(tenMinutes)
  const calls = [tab({ tokens: { ...tokens } }), tab({ tokens: { ...tokens } })].map(({ app }) => app.accessToken())
  await clock.advance(10_000)
  const [one, other] = await clock.settled(Promise.all(calls))
  expect([one, refreshes()]).toEqual([other, 1])
})
