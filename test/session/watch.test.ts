import { setTimeout as realTimer } from 'node:timers/promises'
import { config, EMPTY, throwError, type Observable } from 'rxjs'
import { states } from './tab-world'
import { browser } from '../tabs'
import { ada, grace } from '../world'

describe('a token store whose changes$', () => {
  afterEach(() => {
    config.onUnhandledError = null
  })

  const broken: readonly (readonly [what: string, changes$: Observable<void>])[] = [
    [
      'cannot be subscribed to',
      {
        subscribe() {
          throw new Error('not here')
        },
      } as never,
    ],
    ['fails', throwError(() => new Error('gone'))],
    ['ends', EMPTY],
  ]

  // Promise: no-broadcast-channel
  it.each(broken)('%s is read whenever it is used', async (_, changes$) => {
    const { clock, platform, tab } = browser()
    const tokens = await platform.tokensFor(ada.email)
    const { app } = tab({ tokens: { ...tokens, changes$ } })
    // The token store is watched, but not the user.
    app.tokens$.subscribe()
    await clock.settled(app.user$.get())
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { displayName: 'Ada' } })
    const graces = await platform.tokensFor(grace.email)
    expect(tokens.replace(tokens.read(), graces.read())).toBe(true)
    expect(app.user$.snapshot).toEqual({ status: 'pending' })
  })

  it.each(broken)('%s is read whenever it is used, while the statuses are watched', async (_, changes$) => {
    const { clock, platform, tab } = browser()
    const tokens = await platform.tokensFor(ada.email)
    const unhandled: unknown[] = []
    config.onUnhandledError = error => unhandled.push(error)
    const one = tab({ tokens: { ...tokens, changes$ }, onUnhandled: error => unhandled.push(error) })
    const seen = states(one)
    await clock.advance(0)
    expect(seen).toEqual(['unknown', 'Ada'])
    const graces = await platform.tokensFor(grace.email)
    expect(tokens.replace(tokens.read(), graces.read())).toBe(true)
    await clock.settled(one.app.accessToken())
    await clock.advance(0)
    expect(seen).toEqual(['unknown', 'Ada', 'unknown', 'Grace'])
    // RxJS reports unhandled errors from a timer of its own, which was set before this one.
    await realTimer(1)
    expect(unhandled).toEqual([])
  })
})
