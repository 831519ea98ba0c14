import { inspect } from 'node:util'
import { createClientApp, inspect as inspectKit, trace$ } from 'rxauth'
import type { Kit } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform } from 'rxauth/platform'
import type { LocalTokens } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { ada } from './world'

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
