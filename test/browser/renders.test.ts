import { frameworks, type Framework } from '../frameworks/apps'
import { openRounds, type RoundsOfApp } from '../frameworks/rounds'
import { runs } from '../runs'
import { builtFramework } from './shared'

/** The first is of many users, the second of one. */
const rounds = Number(process.env['RXAUTH_ROUNDS'] ?? runs(2, 1_000))

/** A round takes seconds; on a busy machine it takes more of them. */
const longest = Math.max(240_000, rounds * 30_000)

/** What a server may grow in many rounds, and by what its heap differs from one collection to the next. */
const mebibyte = 1_048_576

// Promise: fifty-renders
describe.each(runs<readonly Framework[]>(['next'], frameworks))(
  'renders of the app for %s, with expired tokens and behind a cache',
  name => {
    let app: RoundsOfApp

    beforeAll(async () => {
      app = await openRounds(await builtFramework(name), name)
    })

    afterAll(() => app.close())

    it(
      `refreshes each session once in ${rounds} rounds of 50, loses no cookies and shows no page to another user`,
      async () => {
        const { renders, grownBytes, ...others } = await app.run(rounds)
        console.log(`${name}: ${renders} renders, the heap has grown by ${(grownBytes / mebibyte).toFixed(1)} MiB`)
        const none = { moreRefreshes: 0, lostCookies: 0, loops: 0, crossings: 0, incomplete: 0, cacheHits: 0 }
        expect(others).toEqual({ ...none, problems: [] })
        expect(grownBytes).toBeLessThan(24 * mebibyte)
      },
      longest,
    )

    // Promise: fifty-renders
    it('shows a page to another user where the cache is told nothing', async () => {
      const { renders, crossings } = await app.runStripped()
      console.log(`${name} without its cache headers: ${crossings} of ${renders} pages show another user`)
      expect(crossings).toBeGreaterThan(0)
    })
  },
)
