import { inspect } from 'node:util'
import { createClientApp, inspect as inspectKit, trace$, type AuthError, type Kit } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform, type LocalTokens } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { ada, world } from './world'

const secretServerKey = 'ssk_0123456789abcdefghij'
const superSecretAdminKey = 'sak_0123456789abcdefghij'

/** The ways in which an app or a logger prints values; a logger leaves out cycles. */
function printed(value: unknown): string[] {
  const above: unknown[] = []
  const json = JSON.stringify(value, function (this: unknown, _key, part: unknown) {
    while (above.length > 0 && above.at(-1) !== this) above.pop()
    if (typeof part !== 'object' || part === null) return part
    if (above.includes(part)) return undefined
    above.push(part)
    return part
  })
  return [inspect(value, { depth: Infinity, showHidden: true, getters: true }), json]
}

describe('neither keys nor tokens are printed with', () => {
  const platform = createPlatform({ seed: { users: [ada] } })
  const server = () => createServerApp({ ...platform.serverOptions, secretServerKey })
  const admin = () => createAdminApp({ ...platform.adminOptions, secretServerKey, superSecretAdminKey })

  it.each<[string, (tokens: LocalTokens) => [app: Kit, loads: readonly Promise<unknown>[]]]>([
    [
      'a client app',
      tokens => {
        const app = createClientApp({ ...platform.options, tokens })
        return [app, [app.project$.get(), app.user$.get()]]
      },
    ],
    [
      'a server app',
      () => {
        const app = server()
        return [app as Kit<never> as Kit, [app.allTeams$.get()]]
      },
    ],
    [
      'an admin app',
      () => {
        const app = admin()
        return [app as Kit<never> as Kit, [app.adminProject$.get(), app.allTeams$.get()]]
      },
    ],
    [
      'a server app of one request',
      tokens => {
        const app = server().withTokens(tokens)
        return [app, [app.project$.get(), app.user$.get()]]
      },
    ],
    [
      'an admin app of one request',
      tokens => {
        const app = admin().withTokens(tokens)
        return [app, [app.project$.get(), app.user$.get()]]
      },
    ],
  ])('%s, its stores, its traces and its errors', async (_name, open) => {
    const tokens = await platform.tokensFor(ada.email)
    const held = tokens.read()
    const secrets = [secretServerKey, superSecretAdminKey, held?.accessToken, held?.refreshToken] as string[]
    expect(secrets.map(secret => typeof secret)).toEqual(['string', 'string', 'string', 'string'])
    const [app, loads] = open(tokens)
    const traces: unknown[] = []
    trace$(app).subscribe(event => traces.push(event))
    // Kits with keys get refusals: this platform has other keys.
    const outcomes = await Promise.allSettled(loads)
    expect(traces).not.toEqual([])
    for (const text of [app, inspectKit(app), traces, outcomes, ...Object.values(app)].flatMap(printed))
      for (const secret of secrets) expect(text ?? '').not.toContain(secret)
    app.dispose()
  })
})

describe('a store prints its name, its arguments, its status and its age, and no value', () => {
  const prints = (store: { toString: () => string }) => [inspect(store), JSON.stringify(store), String(store)]
  /** Both forms of the same parts: that of `console.log` on Node, and JSON. */
  const forms = (parts: object) => [inspect(parts), JSON.stringify(parts), JSON.stringify(parts)]

  // Promise: names-in-development
  it('with a value, before it and after it was dropped', async () => {
    const { app, clock, settled } = await world()
    const parts = { name: 'user$', args: {} }
    expect(prints(app.user$)).toEqual(forms({ ...parts, status: 'pending' }))
    const subscription = app.user$.subscribe()
    await settled(app.user$.get())
    await clock.advance(3000)
    expect(app.user$.snapshot).toMatchObject({ value: { primaryEmail: ada.email } })
    expect(prints(app.user$)).toEqual(forms({ ...parts, status: 'ready', ageMillis: 3000 }))
    subscription.unsubscribe()
    app.dispose()
    expect(prints(app.user$)).toEqual(forms({ ...parts, status: 'pending' }))
  })

  it('with arguments, and after a failure', async () => {
    const { app, clock, platform } = await world()
    platform.faults.next('GET /teams/{teamId}', { status: 400 })
    const team$ = app.team$({ teamId: 'team-1' })
    team$.snapshot$.subscribe()
    await clock.advance(10)
    const { error } = team$.snapshot as { error?: AuthError }
    expect(error?.message).toEqual(expect.any(String))
    const parts = { name: 'team$', args: { teamId: 'team-1' }, status: 'failed', ageMillis: 10 }
    expect(prints(team$)).toEqual(forms(parts))
  })

  it('computed from others, and as a part of a larger object', async () => {
    const { app, clock } = await world()
    const name$ = app.derive(read => read(app.user$)?.displayName)
    name$.subscribe()
    await clock.advance(0)
    expect(name$.snapshot).toMatchObject({ value: ada.displayName })
    expect(JSON.parse(JSON.stringify({ name$ }))).toEqual({
      name$: { name: 'derived', status: 'ready', ageMillis: expect.any(Number) as number },
    })
    expect(inspect({ name$ })).not.toContain(ada.displayName)
  })
})
