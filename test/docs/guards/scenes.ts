import { credentialsOf } from '../../tabs'
import { grace } from '../../world'
import { stage, type Start } from './scenario'

type Stage = Awaited<ReturnType<typeof stage>>

const toSecret = '/handler/sign-in, then /secret?tab=2&b=%26'

/** What the guard of the guide holds in each router. `start`: makes the router of the page, with the guide's guard. */
export function holdsFor(start: Start): void {
  let one: Stage | undefined
  const open = async (path: string, isSignedIn: boolean, delayMillis = 0) =>
    (one = await stage(start, path, isSignedIn, delayMillis))
  afterEach(() => one?.end())

  // Promise: router-guards
  it('shows a guarded page that is loaded while signed in, and nothing before it', async () => {
    const { at, decisions, shown } = await open('/secret?tab=2&b=%26', true)
    expect([shown, decisions, at()]).toEqual([['Secret'], ['allow'], '/secret?tab=2&b=%26'])
  })

  // Promise: router-guards
  it('redirects once while signed out, shows nothing of the page, and lands there after the sign-in', async () => {
    const { at, decisions, shown, signInHere } = await open('/secret?tab=2&b=%26', false)
    expect([shown, decisions, at()]).toEqual([['Sign in'], ['sign-in'], toSecret])
    await signInHere()
    expect([shown, at()]).toEqual([['Sign in', 'Secret'], '/secret?tab=2&b=%26'])
    expect(new Set(decisions.slice(1))).toEqual(new Set(['allow']))
  })

  it('redirects once for a link to a guarded page, and not for the page of the sign-in', async () => {
    const { at, decisions, go, shown } = await open('/', false)
    await go('/secret?tab=2&b=%26')
    expect([shown, decisions, at()]).toEqual([['Home', 'Sign in'], ['sign-in'], toSecret])
    await go('/')
    await go('/handler/sign-in')
    expect([decisions, at()]).toEqual([['sign-in'], '/handler/sign-in'])
  })

  it('asks for verification, for a permission and a team', async () => {
    const { at, decisions, go, shown } = await open('/team', true)
    await go('/lab')
    await go('/verified')
    expect(shown).toEqual(['Team', 'Forbidden', 'Verify'])
    expect(decisions).toEqual(['allow', 'forbidden', 'verify'])
    expect(at()).toBe('/handler/email-verification, then /verified')
  })

  // Promise: router-guards
  it('leaves the page at a sign-out in another tab, and comes back to it', async () => {
    const { at, decisions, other, settle, shown, signInHere } = await open('/secret?tab=2&b=%26', true)
    await Promise.all([other.signOut(), settle()])
    expect([shown, decisions, at()]).toEqual([['Secret', 'Sign in'], ['allow', 'sign-in'], toSecret])
    await signInHere()
    expect([shown.at(-1), at()]).toEqual(['Secret', '/secret?tab=2&b=%26'])
  })

  // Promise: guards-run-again
  it('is run by changes of identity only: not by new tokens, another name or a reload of the user', async () => {
    const { app, decisions, hide, requests, settle, shown } = await open('/secret', true)
    await Promise.all([app.updateUser({ displayName: 'Countess' }), settle()])
    await hide(700_000)
    await Promise.all([app.accessToken(), settle()])
    await Promise.all([app.user$.refresh(), settle()])
    expect(requests).toContain('POST /auth/oauth/token')
    expect([shown, decisions]).toEqual([['Secret'], ['allow']])
  })

  it('shows the page of another user who signs in elsewhere, by a decision of its own', async () => {
    const { decisions, other, settle, shown } = await open('/secret', true)
    await Promise.all([other.signInWithPassword(credentialsOf(grace)), settle()])
    expect(decisions).toEqual(['allow', 'allow'])
    expect(shown.filter(text => text !== 'Secret')).toEqual([])
  })

  it('shows nothing while the user takes long to load', async () => {
    const { clock, decisions, settle, shown } = await open('/secret', true, 10_000)
    expect([shown, decisions]).toEqual([[], []])
    await clock.advance(10_000)
    await settle()
    expect([shown, decisions]).toEqual([['Secret'], ['allow']])
  })
}
