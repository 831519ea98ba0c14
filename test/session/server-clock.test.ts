import { virtualClock } from 'rxauth/platform'
import { ServerClock } from '../../src/session/server-clock'
import { browser, credentialsOf } from '../tabs'
import { ada, world } from '../world'
import { accessTokenText } from './access-token-text'

const minute = 60_000
const day = 86_400_000

/** A token that lives for ten minutes, issued this long before the platform's midnight. */
function token(ageMillis: number): string {
  const issued = (Date.UTC(2026, 0, 1) - ageMillis) / 1000
  return accessTokenText({ iat: issued, exp: issued + 600 })
}

function skewOf(offMillis: number): ServerClock {
  const clock = virtualClock()
  return new ServerClock({ ...clock, now: () => clock.now() + offMillis })
}

describe('while no token has been issued here', () => {
  it.each([
    ['right', 0, 3 * minute, 7 * minute],
    ['a minute behind', -minute, 3 * minute, 8 * minute],
    ['10 min behind', -10 * minute, 3 * minute, 10 * minute],
    ['a day behind', -day, 3 * minute, 10 * minute],
    ['a day ahead', day, 3 * minute, 7 * minute - day],
  ])('a token lasts no longer than its lifetime, with a clock that is %s', (_, off, age, remaining) => {
    const skew = skewOf(off)
    expect(skew.remaining(token(age))).toBe(remaining)
    expect(skew.isKnown).toBe(false)
  })

  it('the newest token determines the difference', () => {
    const skew = skewOf(-day)
    expect(skew.remaining(token(5 * minute))).toBe(10 * minute)
    expect(skew.remaining(token(0))).toBe(10 * minute)
    expect(skew.remaining(token(5 * minute))).toBe(5 * minute)
    expect(skew.now()).toBe(Date.UTC(2026, 0, 1))
  })
})

it('the issue of a token here makes the difference known', () => {
  const skew = skewOf(-day)
  skew.learn(token(0), Date.UTC(2026, 0, 1) - day)
  expect([skew.isKnown, skew.now()]).toEqual([true, Date.UTC(2026, 0, 1)])
})

it('a token without times changes nothing', () => {
  const skew = skewOf(-day)
  expect(skew.remaining(accessTokenText({ iat: undefined, exp: undefined }))).toBe(Infinity)
  expect(skew.now()).toBe(Date.UTC(2026, 0, 1) - day)
})

it('after a reload, accessToken() soon stops returning a token that has expired for the platform', async () => {
  const { clock, newApp, platform, requests, settled } = await world()
  const tokens = await platform.tokensFor(ada.email)
  const app = newApp({ tokens, clock: { ...clock, now: () => clock.now() - day } })
  const first = await settled(app.accessToken())
  await clock.advance(10 * minute)
  expect(await settled(app.accessToken())).not.toBe(first)
  expect(requests).toEqual(['POST /auth/oauth/token'])
})

it('a tab learns from the token that another tab has got', async () => {
  const { clock, refreshes, signIn, tab } = browser()
  await signIn(ada)
  const wrong = { ...clock, now: () => clock.now() - day }
  const [one, other] = [tab({ clock: wrong }), tab({ clock: wrong })]
  for (const { app } of [one, other]) app.user$.subscribe()
  await clock.advance(0)
  await one.app.signInWithPassword(credentialsOf(ada))
  await clock.advance(10 * minute)
  const tokens = [one, other].map(({ app }) => app.accessToken())
  await clock.advance(0)
  expect(new Set(await Promise.all(tokens)).size).toBe(1)
  expect(refreshes()).toBe(1)
})
