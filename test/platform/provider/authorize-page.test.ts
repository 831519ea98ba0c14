import { asClient, codeFor } from './provider-world'
import { grace, led, oauthWorld, sub } from '../oauth-world'
import { ada } from '../wire-world'

describe('the page of the local provider', () => {
  it('shows accounts and scopes, with every text escaped', async () => {
    const world = await asClient({ scope: 'openid <b>' })
    await codeFor(world, world.authorizeAt)
    const { status, headers, text } = await world.visit(world.authorizeAt)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html'])
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(text).toContain('<form method="post">')
    expect(text).toContain('value="583231" checked')
    expect(text).toContain('Grace <small>grace@example.com, account 583231</small>')
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('<script')
  })

  it.each<[what: string, form: Readonly<Record<string, string>>, outcome: object]>([
    ['a known account', { who: '583231', scope: 'repo' }, { sub: '583231', email: grace.email, scope: 'repo' }],
    [
      'a new account',
      { who: '', email: ' new@example.com ', name: 'New', account_id: '7', verified: 'on', scope: 'openid' },
      { sub: '7', email: 'new@example.com', name: 'New', email_verified: true, scope: 'openid' },
    ],
    [
      'an address alone',
      { who: '', email: 'New@example.com' },
      { sub: 'new@example.com', email: 'New@example.com', name: undefined, email_verified: false, scope: '' },
    ],
  ])('signs in %s', async (_, form, outcome) => {
    const world = await asClient()
    await codeFor(world, world.authorizeAt)
    const body = new URLSearchParams({ decision: 'allow', ...form })
    const answer = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect([answer.status, led(answer, 'state')]).toEqual([303, 's'])
    expect(world.granted(led(answer, 'code'))).toMatchObject(outcome)
  })

  it('offers the users of the requesting project, and signs in the chosen one', async () => {
    const world = oauthWorld()
    const page = (await world.visit(await world.authorizeUrl())).headers.get('location')!
    const { text } = await world.visit(page)
    expect(text).toContain(`value="${ada.email}" checked`)
    expect(text).not.toContain('owner')
    const body = new URLSearchParams({ decision: 'allow', who: ada.email })
    const back = (await world.visit(page, { method: 'POST', body })).headers.get('location')!
    const { body: tokens } = await world.exchange(led(await world.visit(back), 'code'))
    expect(sub(tokens.access_token as string)).toBe(ada.id)
    // The account now belongs to the provider, and is offered once.
    expect((await world.visit(page)).text.match(new RegExp(`value="${ada.email}"`, 'g'))).toHaveLength(1)
  })

  it('refuses with an OAuth error', async () => {
    const world = await asClient()
    const body = new URLSearchParams({ decision: 'refuse', email: 'not even an address' })
    const answer = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect([answer.status, led(answer, 'error'), led(answer, 'state')]).toEqual([303, 'access_denied', 's'])
  })

  it('asks again after an invalid address', async () => {
    const world = await asClient()
    const body = new URLSearchParams({ who: '', email: 'no-address' })
    const { status, text } = await world.visit(world.authorizeAt, { method: 'POST', body })
    expect(status).toBe(400)
    expect(text).toContain('role="alert"')
    expect(text).toContain('aria-invalid="true"')
  })
})
