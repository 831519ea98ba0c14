import { createServerApp, changes } from 'rxauth/server'
import { webhookKey, webhookSignature } from '../../../src/core/webhook-signature'
import { ada, grace } from '../../world'
import { changesWorld, eve, Page, teamId } from './changes-world'

const types = (...pages: Page[]) => pages.map(page => page.take())

describe('the stream of a page', () => {
  // Promise: changes-of-a-backend
  it('tells a change to the members of the team, with ids alone, and to no other user', async () => {
    const { open, happen, admin, statuses, reports } = await changesWorld()
    const [first, second, foreign] = [await open(ada), await open(grace), await open(eve)]
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations', serverMetadata: { secret: 'plans' } }))
    expect(first.events).toEqual([{ type: 'team.updated', data: { id: teamId, teamId } }])
    expect(second.events).toEqual(first.events)
    expect(foreign.events).toEqual([])
    expect(statuses).toEqual([200])
    expect(reports).toEqual([])
  })

  it('is not kept or changed on its way, and begins at once', async () => {
    const { open } = await changesWorld()
    const { response, lastId } = await open(ada)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(lastId).not.toBe('')
  })

  it('tells a user what happens to them, and a new member and the members who may read the members', async () => {
    const { open, happen, admin, eveId, graceId } = await changesWorld()
    await happen(admin.revokeTeamPermission({ teamId, userId: graceId, permissionId: 'team_member' }))
    const pages = [await open(ada), await open(grace), await open(eve)] as const
    const [first, second, third] = pages
    types(...pages)
    await happen(admin.addTeamMemberById({ teamId, userId: eveId }))
    const created = ['team_membership.created', 'team_permission.created']
    expect(types(first, third)).toEqual([created, created])
    // Grace is a member who may not read the members.
    expect(second.take()).toEqual([])
    await happen(admin.updateUserById({ userId: eveId, displayName: 'Edith' }))
    expect(types(...pages)).toEqual([['user.updated'], [], ['user.updated']])
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    expect(types(...pages)).toEqual([['team.updated'], ['team.updated'], ['team.updated']])
  })

  // Promise: changes-of-a-backend
  it('tells a removed member of the removal, and of nothing later', async () => {
    const { open, happen, admin, graceId, adaId } = await changesWorld()
    const [first, second] = [await open(ada), await open(grace)]
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    expect(types(first, second)).toEqual([['team_membership.deleted'], ['team_membership.deleted']])
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await happen(admin.updateUserById({ userId: adaId, displayName: 'Ada L.' }))
    expect(types(first, second)).toEqual([['team.updated', 'user.updated'], []])
  })

  it('tells a team to its creator, whose membership has no event', async () => {
    const { open, happen, admin, eveId } = await changesWorld()
    const [first, third] = [await open(ada), await open(eve)]
    const team = await happen(admin.createTeamById({ displayName: 'Lab', creatorUserId: eveId }))
    if (!team.ok) throw team.error
    await happen(admin.updateTeamById({ teamId: team.value.id, displayName: 'Labs' }))
    expect(types(first, third)).toEqual([[], ['team.created', 'team.updated']])
  })

  it('tells of a deleted team to its members that are connected', async () => {
    const { open, happen, admin } = await changesWorld()
    const [first, third] = [await open(ada), await open(eve)]
    await happen(admin.deleteTeamById({ teamId }))
    expect(types(first, third)).toEqual([['team.deleted'], []])
  })

  it('tells of a deleted team, also where an earlier event of it arrives after the deletion', async () => {
    const { open, happen, admin, state, sent, live, settled, clock } = await changesWorld()
    const page = await open(ada)
    state.isHeld = true
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await happen(admin.deleteTeamById({ teamId }))
    for (const request of sent) {
      await settled(live.receive(request))
      await clock.advance(1)
    }
    expect(page.take()).toEqual(['team.deleted'])
  })

  it('tells of a deleted team to a user who came back after the deletion, as something that was missed', async () => {
    const { open, happen, admin, state, sent, live, settled, clock } = await changesWorld()
    const [first, other] = [await open(ada), await open(eve)]
    await clock.advance(30_000)
    state.isHeld = true
    first.leave()
    await happen(admin.deleteTeamById({ teamId }))
    const back = await open(ada, { lastId: first.lastId })
    await settled(live.receive(sent[0]!))
    await clock.advance(10_000)
    expect(types(back, other)).toEqual([['missed'], []])
  })

  it('does not tell of a deleted team to a member who was removed, whether or not the platform could be asked', async () => {
    const { open, happen, admin, graceId, answerWith, platform, clock } = await changesWorld()
    const page = await open(grace)
    answerWith(() => Promise.reject(new TypeError('fetch failed')))
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    await clock.advance(30_000)
    answerWith(platform.options.fetch)
    page.take()
    await happen(admin.deleteTeamById({ teamId }))
    await clock.advance(30_000)
    expect(page.take()).toEqual(['missed'])
  })

  it('tells a permission in the project to its user alone', async () => {
    const { open, happen, admin, adaId, platform } = await changesWorld()
    await platform.seed({ permissions: [{ id: 'pilot', scope: 'project' }] })
    const [first, second] = [await open(ada), await open(grace)]
    await happen(admin.grantProjectPermission({ userId: adaId, permissionId: 'pilot' }))
    expect(first.events).toEqual([{ type: 'project_permission.created', data: { id: 'pilot', userId: adaId } }])
    expect(second.events).toEqual([])
  })

  // Promise: changes-of-a-backend
  it('ends at once when the user is deleted, and is refused to the token that is left', async () => {
    const { open, happen, admin, graceId, live, requestOf, settled } = await changesWorld()
    const [first, second] = [await open(ada), await open(grace)]
    const request = await requestOf(grace)
    await happen(admin.deleteUserById({ userId: graceId }))
    expect(second.end).toBe('ended')
    expect(second.take()).toContain('user.deleted')
    expect(first.take()).toEqual(['team_membership.deleted', 'user.deleted'])
    expect((await settled(live.stream(request))).status).toBe(401)
  })

  it.each([
    ['as long as the token', 0],
    ['no longer, where the clock of this backend is an hour slow', -3_600_000],
  ])('lasts %s', async (_, millis) => {
    const { requestOf, clock, settled, platform, secret } = await changesWorld()
    const slow = createServerApp({
      ...platform.serverOptions,
      clock: { ...clock, now: () => clock.now() + millis, monotonic: () => clock.monotonic() },
    })
    const live = changes(slow, { webhookSecret: secret })
    const page = new Page(await settled(live.stream(await requestOf(ada))), true)
    await clock.advance(9 * 60_000)
    expect(page.end).toBe('open')
    await clock.advance(61_000)
    expect(page.end).toBe('ended')
  })

  it('says every 20 s that it is there, and has no timer without a reader', async () => {
    const { clock, settled, live, requestOf } = await changesWorld()
    const { body } = await settled(live.stream(await requestOf(ada)))
    const reader = body!.getReader()
    const texts: string[] = []
    const read = async () => {
      const { value } = await settled(reader.read())
      texts.push(new TextDecoder().decode(value))
    }
    await read()
    await clock.advance(20_000)
    await read()
    await clock.advance(20_000)
    await read()
    expect(texts.every(text => /^(id: \S+\n\n)+$/.test(text) || /^id: unknown\n\nid: \S+\n\n$/.test(text))).toBe(true)
    void reader.cancel()
    await clock.advance(20_000)
  })

  it('is refused without a valid token', async () => {
    const { live, settled, requestOf } = await changesWorld()
    expect((await settled(live.stream(new Request('https://a.example')))).status).toBe(401)
    // A browser sends the request of a page of another origin only after this.
    const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } }
    const passed = await settled(live.stream(new Request('https://a.example', preflight)))
    expect([passed.status, await passed.text()]).toEqual([200, '{}'])
    const forged = await requestOf(ada)
    const headers = { authorization: `${forged.headers.get('authorization')}x`, cookie: 'stack-access=x' }
    expect((await settled(live.stream(new Request('https://a.example', { headers })))).status).toBe(401)
  })

  it('is open 100 times for a user, and not once more', async () => {
    const { open, live, settled, requestOf } = await changesWorld()
    const pages: Page[] = []
    for (let each = 0; each < 100; each++) pages.push(await open(ada))
    const refused = await settled(live.stream(await requestOf(ada)))
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await open(grace)).response.status).toBe(200)
    pages[0]!.leave()
    expect((await open(ada)).response.status).toBe(200)
  })

  it('of a request that ends before its token is verified ends at once, and its user is not told', async () => {
    const asked: string[] = []
    const { live, settled, requestOf, happen, admin, clock } = await changesWorld({
      mayKnow: userId => asked.push(userId) > 0,
    })
    const left = new AbortController()
    const streaming = live.stream(await requestOf(ada, '', left.signal))
    left.abort()
    const page = new Page(await settled(streaming), true)
    await clock.advance(1)
    expect(page.end).toBe('ended')
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    expect(asked).toEqual([])
  })

  it('ends when the request of the page ends, with close() and with the app of the server', async () => {
    const { open, live, settled, requestOf, server, statuses, happen, admin, process } = await changesWorld()
    const left = new AbortController()
    const first = await open(ada, { signal: left.signal })
    left.abort()
    const second = await open(ada)
    expect(first.end).toBe('ended')
    live.close()
    await settled(Promise.resolve())
    const other = process()
    const third = await open(ada, { of: other })
    expect(second.end).toBe('ended')
    expect((await settled(live.stream(await requestOf(ada)))).status).toBe(503)
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    // The platform sends it again, perhaps to the next process.
    expect(statuses).toEqual([503])
    server.dispose()
    await settled(Promise.resolve())
    expect(third.end).toBe('ended')
  })
})

describe('who may know', () => {
  it('is loaded once for many events of a team, and again after a change of its members', async () => {
    const { open, happen, admin, requests, graceId } = await changesWorld()
    const page = await open(ada)
    requests.length = 0
    for (const displayName of ['a', 'b', 'c']) await happen(admin.updateTeamById({ teamId, displayName }))
    const roster = ['GET /team-member-profiles', 'GET /team-permissions']
    expect(requests).toEqual(roster)
    requests.length = 0
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    await happen(admin.updateTeamById({ teamId, displayName: 'd' }))
    expect(requests).toEqual(roster)
    expect(page.take()).toHaveLength(5)
  })

  // Promise: changes-of-a-backend
  it('is what is true at that moment, although the event of a removal comes later', async () => {
    const { open, happen, admin, state, sent, live, settled, graceId, clock } = await changesWorld()
    const [first, second] = [await open(ada), await open(grace)]
    state.isHeld = true
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    const [removal, update] = sent
    expect((await settled(live.receive(update!))).status).toBe(200)
    await clock.advance(1)
    expect(types(first, second)).toEqual([['team.updated'], []])
    await settled(live.receive(removal!))
    await clock.advance(1)
    expect(types(first, second)).toEqual([['team_membership.deleted'], ['team_membership.deleted']])
  })

  // Promise: changes-of-a-backend
  it('refuses a user of whom an event tells while the members load, who is told that something is missed', async () => {
    const { open, happen, admin, state, sent, live, settled, graceId, clock, answerWith, platform } =
      await changesWorld()
    const [first, second] = [await open(ada), await open(grace)]
    state.isHeld = true
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    // The members are read, and the answer is on its way, when Grace is removed.
    let arrive: () => void = () => undefined
    const arrived = new Promise<void>(resolve => (arrive = resolve))
    answerWith(async (input, init) => {
      const response = await platform.options.fetch(input, init)
      await arrived
      return response
    })
    await settled(live.receive(sent[0]!))
    await clock.advance(1)
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    await settled(live.receive(sent[1]!))
    arrive()
    await clock.advance(1)
    expect(first.take()).toEqual(['team.updated', 'team_membership.deleted'])
    expect(second.take()).toEqual(['team_membership.deleted'])
    await clock.advance(10_000)
    expect(types(first, second)).toEqual([[], ['missed']])
  })

  // Promise: changes-of-a-backend
  it('is no user while it cannot be loaded: every page is told that something is missed, within 10 s', async () => {
    const { open, happen, admin, clock, answerWith, reports } = await changesWorld()
    const pages = [await open(ada), await open(eve)] as const
    answerWith(() => Promise.reject(new TypeError('fetch failed')))
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await clock.advance(30_000)
    expect(types(...pages)).toEqual([['missed'], ['missed']])
    expect(reports).not.toEqual([])
  })

  it('is decided by mayKnow, which is given what would be told', async () => {
    const asked: unknown[] = []
    const { open, happen, admin, eveId, requests } = await changesWorld({
      mayKnow: (userId, event) => {
        asked.push(event)
        return Promise.resolve(userId === eveId)
      },
    })
    const [first, third] = [await open(ada), await open(eve)]
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations', serverMetadata: { secret: 'plans' } }))
    expect(types(first, third)).toEqual([[], ['team.updated']])
    expect(asked).toEqual(Array(2).fill({ type: 'team.updated', data: { id: teamId, teamId } }))
    expect(requests.filter(request => !request.endsWith('jwks.json'))).toEqual([])
  })

  // Promise: changes-of-a-backend
  it.each<[string, () => boolean | Promise<boolean>]>([
    [
      'throws',
      () => {
        throw new Error('no database')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no database'))],
    ['does not answer', () => new Promise(() => undefined)],
    ['answers with something else', () => 'yes' as never],
  ])('is no user where mayKnow %s', async (what, mayKnow) => {
    const { open, happen, admin, clock, reports } = await changesWorld({ mayKnow })
    const page = await open(ada)
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await clock.advance(30_000)
    const isError = what !== 'answers with something else'
    expect(page.take()).toEqual(isError ? ['missed'] : [])
    expect(reports).toHaveLength(isError ? 1 : 0)
  })
})

describe('a webhook', () => {
  // Promise: changes-of-a-backend
  it.each<[string, (request: Request, other: Request) => Request]>([
    [
      'of another secret',
      (request, other) => new Request(request.url, { method: 'POST', headers: other.headers, body: '{}' }),
    ],
    [
      'without a signature',
      request => new Request(request.url, { method: 'POST', body: request.body, duplex: 'half' } as RequestInit),
    ],
    [
      'with another text',
      request =>
        new Request(request.url, {
          method: 'POST',
          headers: request.headers,
          body: '{"type":"team.updated","data":{"id":"x"}}',
        }),
    ],
  ])('%s is refused, and nothing is told', async (_, altered) => {
    const { open, happen, admin, state, sent, live, settled, clock } = await changesWorld()
    const page = await open(ada)
    state.isHeld = true
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    expect((await settled(live.receive(altered(sent[0]!, sent[0]!)))).status).toBe(401)
    await clock.advance(30_000)
    expect(page.take()).toEqual([])
  })

  it.each<[string, (request: Request) => Request | object]>([
    ['whose upload breaks off', ({ headers }) => ({ headers, body: broken() })],
    ['whose text breaks off', ({ headers }) => ({ headers, text: () => Promise.reject(new TypeError('terminated')) })],
  ])('%s is refused, and nothing fails', async (_, altered) => {
    const { happen, admin, state, sent, live, settled, reports } = await changesWorld()
    state.isHeld = true
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    expect((await settled(live.receive(altered(sent[0]!) as Request))).status).toBe(401)
    expect(reports).toEqual([])
  })

  it('that is not as documented is told once as something missed, also to a page that comes back', async () => {
    const { open, live, settled, clock, secret, reports } = await changesWorld()
    const [page, other] = [await open(ada), await open(grace)]
    other.leave()
    const { lastId } = other
    for (let attempt = 0; attempt < 2; attempt++) {
      const body = '{"type":"team.updated","data":{"id":1}}'
      const request = new Request('https://app.example.com/api/changes', {
        method: 'POST',
        headers: await signed(secret, body, clock.now()),
        body,
      })
      expect((await settled(live.receive(request))).status).toBe(200)
      await clock.advance(10_000)
    }
    expect(page.take()).toEqual(['missed'])
    expect(reports).toHaveLength(1)
    const back = await open(grace, { lastId })
    await clock.advance(10_000)
    expect(back.take()).toEqual(['missed'])
  })

  it('that is old is refused', async () => {
    const { open, happen, admin, state, sent, live, settled, clock } = await changesWorld()
    const page = await open(ada)
    state.isHeld = true
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await clock.advance(302_000)
    expect((await settled(live.receive(sent[0]!))).status).toBe(401)
    await clock.advance(1)
    expect(page.take()).toEqual([])
  })

  // Promise: changes-of-a-backend
  it('that was received before is answered with 200, and told once', async () => {
    const published: string[] = []
    const { open, happen, admin, sent, live, settled, clock, platform } = await changesWorld({
      publish: text => void published.push(text),
    })
    const page = await open(ada)
    await happen(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    expect((await settled(live.receive(sent[0]!.clone()))).status).toBe(200)
    await settled(platform.webhooks.replay(sent[0]!.headers.get('svix-id')!))
    await clock.advance(30_000)
    expect(page.take()).toEqual(['team.updated'])
    expect(published).toHaveLength(1)
  })

  // Promise: changes-of-a-backend
  it.each<[string, number, () => Promise<void>]>([
    ['is not published', 1, () => Promise.reject(new Error('no channel'))],
    ['is not published in time', 10_000, () => new Promise(() => undefined)],
  ])('that %s is asked for again, and is told then', async (_, millis, fails) => {
    let isDown = true
    const { open, settled, admin, statuses, reports, clock } = await changesWorld({
      publish: () => (isDown ? fails() : undefined),
    })
    const page = await open(ada)
    await settled(admin.updateTeamById({ teamId, displayName: 'Operations' }))
    await clock.advance(millis)
    expect(page.take()).toEqual([])
    isDown = false
    await clock.advance(6000)
    expect(statuses).toEqual([500, 200])
    expect(page.take()).toEqual(['team.updated'])
    expect(reports).toEqual([expect.objectContaining({ code: 'CALLBACK_FAILED' })])
  })
})

/** A body whose sender leaves before its end. */
async function* broken() {
  yield '{'
  await Promise.resolve()
  throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
}

/** The headers of a delivery of the platform, always of the same one. */
async function signed(secret: string, body: string, now: number) {
  const timestamp = String(Math.floor(now / 1000))
  const key = await webhookKey(secret)
  return {
    'svix-id': 'msg_1',
    'svix-timestamp': timestamp,
    'svix-signature': await webhookSignature(key!, { id: 'msg_1', timestamp, body: new TextEncoder().encode(body) }),
  }
}

it.each<[string, object]>([
  ['webhookSecret is missing', { webhookSecret: '' }],
  ['webhookSecret takes text', {}],
  ['secret is not an option', { webhookSecret: 'whsec_x', secret: 'x' }],
])('%s', async (text, options) => {
  const { server } = await changesWorld()
  expect(() => changes(server, options as never)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(text) as string }),
  )
})
