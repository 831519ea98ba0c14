import { memoryTokens, type Tokens } from 'rxauth'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'
import { slowTokens } from './slow-tokens'

describe('tokens$', () => {
  it('emits the stored tokens, each later pair, and null while signed out', async () => {
    const { clock, newApp, settled } = await world({ platform: { rotation: true } })
    const store = memoryTokens()
    const app = newApp({ tokens: store })
    const seen: (Tokens | null | undefined)[] = []
    app.tokens$.subscribe(tokens => seen.push(tokens))
    await settled(app.signInWithPassword(credentialsOf(ada)))
    expect(seen).toEqual([null, store.read()])
    await clock.advance(600_000)
    await settled(app.accessToken())
    expect(seen).toEqual([null, seen[1], store.read()])
    await settled(app.signOut())
    expect(seen).toEqual([null, seen[1], seen[2], null])
  })

  it('is undefined until an asynchronous store has answered', async () => {
    const { clock, newApp } = await world()
    const seen: unknown[] = []
    newApp({ tokens: slowTokens(clock, 100).store }).tokens$.subscribe(tokens => seen.push(tokens))
    await clock.advance(99)
    expect(seen).toEqual([undefined])
    await clock.advance(1)
    expect(seen).toEqual([undefined, null])
  })

  it('never pairs tokens of two accounts', async () => {
    const { app, clock, platform, settled } = await world()
    const owners: unknown[] = []
    app.tokens$.subscribe(tokens => {
      const { sub } = JSON.parse(atob(tokens!.accessToken!.split('.')[1]!)) as { sub: string }
      owners.push([sub, tokens!.refreshToken])
    })
    await settled(app.signInWithPassword(credentialsOf(grace)))
    await clock.advance(0)
    expect(owners).toHaveLength(2)
    expect(new Set(owners.flat()).size).toBe(4)
    expect(platform).toBeDefined()
  })

  it('completes with the kit', async () => {
    const { app } = await world()
    let isDone = false
    app.tokens$.subscribe({ complete: () => (isDone = true) })
    app.dispose()
    expect(isDone).toBe(true)
  })
})

describe('authHeaders', () => {
  it('as stack are the JSON of both tokens, fresh ones', async () => {
    const { clock, newApp, platform, settled } = await world()
    const tokens = await platform.tokensFor(ada.email)
    const app = newApp({ tokens })
    await clock.advance(600_000)
    const headers = await settled(app.authHeaders({ as: 'stack' }))
    expect(Object.keys(headers)).toEqual(['x-stack-auth'])
    expect(JSON.parse(headers['x-stack-auth']!)).toEqual(tokens.read())
  })

  it('leave the refresh token out', async () => {
    const { app, settled } = await world()
    expect(await settled(app.authHeaders())).toEqual({
      authorization: `Bearer ${await app.accessToken()}`,
    })
  })

  it('are empty while signed out', async () => {
    const { newApp, settled } = await world()
    expect(await settled(newApp().authHeaders())).toEqual({})
  })

  it('never pair tokens of two accounts, whenever another user signs in', async () => {
    const { newApp, platform } = await world()
    const adas = (await platform.tokensFor(ada.email)).read()!
    const graces = (await platform.tokensFor(grace.email)).read()!
    for (let turns = 0; turns < 12; turns++) {
      const store = memoryTokens(adas)
      const app = newApp({ tokens: store })
      const headers = app.authHeaders({ as: 'stack' }).catch(() => null)
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      void store.replace(adas, graces)
      app.tokens$.subscribe().unsubscribe()
      const text = (await headers)?.['x-stack-auth']
      expect([undefined, JSON.stringify(adas), JSON.stringify(graces)]).toContain(text)
      app.dispose()
    }
  })

  it('reject with the cause if the session cannot be refreshed now', async () => {
    const { app, clock, platform, settled } = await world()
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { status: 503 })
    await expect(settled(app.authHeaders())).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 503 })
    expect(await settled(app.authHeaders())).toHaveProperty('authorization')
  })
})
