import { github, home, type VirtualWeb } from '../../oauth-web'
import { ada } from '../../world'

export const provider = github.id

/** Ada's kit with an account of the provider linked. */
export async function linkedWith(web: VirtualWeb, scopes: readonly string[] = []) {
  const tab = web.open(`${home}/settings`)
  await tab.app.signInWithPassword({ email: ada.email, password: ada.password })
  const app = tab.load(await web.walk(await tab.left(tab.app.connectAccount({ provider, scopes }))))
  const shown: (readonly string[])[] = []
  app.connectedAccounts$.subscribe(all => shown.push(all.map(each => each.provider)))
  const users: unknown[] = []
  app.user$.subscribe(user => users.push(user))
  await web.clock.advance(1000)
  expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: true } })
  await web.clock.advance(1000)
  return { app, shown, users }
}
