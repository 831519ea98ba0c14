import { changes, type ChangesOptions } from 'rxauth/server'
import { runs } from '../../runs'
import { ada, grace } from '../../world'
import { changesWorld, eve, teamId, type Page } from './changes-world'

/** The text of an event as another process publishes it. */
const text = (id: string, type = 'team.updated', data: object = { id: teamId }) => JSON.stringify({ id, type, data })

/** An id as the platform has them. */
const idOf = (place: number) => `c0c1d2e3-1111-4222-8333-${String(place).padStart(12, '0')}`

/** Processes that share events over a channel in memory. */
function channel() {
  const listeners = new Set<(text: string) => void>()
  const options: ChangesOptions = {
    publish: each => {
      for (const listener of listeners) listener(each)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const say = (each: string) => {
    for (const listener of listeners) listener(each)
  }
  return { options, say, listeners }
}

describe('a page that comes back', () => {
  it('is told what has happened after the last event that it has seen', async () => {
    const { open, happen, admin, clock, graceId } = await changesWorld()
    const first = await open(ada)
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
    const { lastId } = first
    first.leave()
    await clock.advance(60_000)
    await happen(admin.updateUserById({ userId: graceId, displayName: 'b' }))
    const second = await open(ada, { lastId })
    // What came in the ten seconds before it is told again: another process may have had another order.
    expect(second.take()).toEqual(['team.updated', 'user.updated'])
    const third = await open(ada, { lastId: second.lastId })
    expect(third.take()).toEqual(['user.updated'])
    await clock.advance(60_000)
    await happen(admin.updateTeamById({ teamId, displayName: 'c' }))
    await clock.advance(11_000)
    await happen(admin.updateUserById({ userId: graceId, displayName: 'd' }))
    second.take()
    expect((await open(ada, { lastId: second.lastId })).take()).toEqual(['user.updated'])
  })

  it('is told nothing that it may not know any more', async () => {
    const { open, happen, admin, clock, graceId } = await changesWorld()
    const { lastId } = await open(grace)
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
    await happen(admin.removeTeamMemberById({ teamId, userId: graceId }))
    await clock.advance(11_000)
    expect((await open(grace, { lastId })).take()).toEqual(['team_membership.deleted'])
  })

  it('is told of a team that was deleted meanwhile as something that it has missed', async () => {
    const { open, happen, admin, clock } = await changesWorld()
    const first = await open(ada)
    first.leave()
    await happen(admin.deleteTeamById({ teamId }))
    const second = await open(ada, { lastId: first.lastId })
    expect(second.take()).toEqual([])
    await clock.advance(10_000)
    expect(second.take()).toEqual(['missed'])
  })

  it.each([
    ['does not know the id', 'msg_of-another-process'],
    ['has sent no id so far', 'unknown'],
  ])('is told that it has missed something by a process that %s, and gets an id then', async (_, lastId) => {
    const { open, clock } = await changesWorld()
    const page = await open(ada, { lastId })
    expect(page.take()).toEqual([])
    expect(page.lastId).toBe('')
    await clock.advance(10_000)
    expect(page.take()).toEqual(['missed'])
    const { lastId: next } = page
    expect(next).toMatch(/^start-/)
    expect((await open(ada, { lastId: next })).take()).toEqual([])
  })

  it('is told that it has missed something after more than a hundred kinds of events', async () => {
    const { options, say } = channel()
    const { open, clock } = await changesWorld({ ...options, mayKnow: () => true })
    const { lastId } = await open(ada)
    for (let each = 0; each < 100; each++) say(text(`id-${each}`, 'user.updated', { id: `user-${each}` }))
    await clock.advance(1)
    expect((await open(ada, { lastId })).take()).toHaveLength(100)
    say(text('id-100', 'user.updated', { id: 'user-100' }))
    await clock.advance(1)
    const page = await open(ada, { lastId })
    await clock.advance(10_000)
    expect(page.take()).toEqual(['missed'])
  })

  it('is told what it has missed as mayKnow answers, eight times at once, however slow it is', async () => {
    const { options, say } = channel()
    let isSlow = false
    const { open, clock } = await changesWorld({
      ...options,
      mayKnow: () =>
        !isSlow ||
        new Promise(resolve => {
          clock.setTimeout(() => {
            resolve(true)
          }, 9000)
        }),
    })
    const { lastId } = await open(ada)
    for (let each = 0; each < 20; each++) say(text(`id-${each}`, 'user.updated', { id: `user-${each}` }))
    await clock.advance(1)
    isSlow = true
    const page = await open(ada, { lastId })
    const counts: number[] = []
    for (let round = 0; round < 3; round++) {
      await clock.advance(9000)
      counts.push(page.take().length)
    }
    expect(counts).toEqual([8, 8, 4])
  })

  it('is told that it has missed something after a thousand events or more, and is found after fewer', async () => {
    const { options, say } = channel()
    const { open, clock } = await changesWorld({ ...options, mayKnow: () => true })
    const { lastId } = await open(ada)
    for (let each = 0; each < 3000; each++) {
      say(text(`id-${each}`))
      await Promise.resolve()
      if (each % 100 === 0) await clock.advance(1)
    }
    await clock.advance(11_000)
    expect((await open(ada, { lastId: 'id-2200' })).take()).toEqual(['team.updated'])
    const page = await open(ada, { lastId })
    await clock.advance(10_000)
    expect(page.take()).toEqual(['missed'])
  })
})

describe('a page that comes back while it is decided who may know', () => {
  it.each<[string, boolean]>([
    ['in place of another one', true],
    ['beside another one', false],
  ])('%s is told', async (_, isAlone) => {
    const answers: (() => void)[] = []
    let isSlow = false
    const { open, happen, admin, clock, eveId } = await changesWorld({
      // Of Eve it takes long.
      mayKnow: userId =>
        isSlow && (isAlone || userId === eveId)
          ? new Promise(resolve => {
              answers.push(() => {
                resolve(true)
              })
            })
          : true,
    })
    const [first] = [await open(ada), await open(eve)]
    isSlow = true
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
    first.take()
    const { lastId } = first
    if (isAlone) first.leave()
    isSlow = false
    const second = await open(ada, { lastId })
    for (const give of answers) give()
    await clock.advance(1)
    expect(second.take()).toContain('team.updated')
  })
})

describe('a page that connects first', () => {
  it('is told what happened in the last 30 s, while it loaded', async () => {
    const { open, happen, admin, clock } = await changesWorld()
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
    await clock.advance(29_000)
    expect((await open(ada)).take()).toEqual(['team.updated'])
    await clock.advance(2000)
    expect((await open(ada)).take()).toEqual([])
  })

  it('is told by a process that has just started that something may be missed', async () => {
    const { open, clock } = await changesWorld({ ageMillis: 20_000 })
    const page = await open(ada)
    await clock.advance(10_000)
    expect(page.take()).toEqual(['missed'])
  })
})

// Promise: changes-reach-all-pages
it('after a restart, pages are told so over ten seconds, not at once', async () => {
  const { process, open, clock } = await changesWorld({ ageMillis: 0 })
  const live = process()
  const pages: Page[] = []
  for (let each = 0; each < 50; each++)
    pages.push(await open([ada, grace][each % 2]!, { of: live, lastId: 'msg_before' }))
  const counts: number[] = []
  for (let second = 0; second < 10; second++) {
    await clock.advance(1000)
    counts.push(pages.filter(page => page.take().length > 0).length)
  }
  expect(counts.reduce((sum, each) => sum + each)).toBe(50)
  expect(Math.max(...counts)).toBeLessThan(15)
})

describe('a page that reads slowly', () => {
  // Promise: changes-reach-all-pages
  it('loses events beyond a hundred, and is told so when it reads again', async () => {
    const { options, say } = channel()
    const { open, clock } = await changesWorld({ ...options, mayKnow: () => true })
    const page = await open(ada, { isRead: false })
    for (let each = 0; each < 500; each++) {
      say(text(`id-${each}`))
      if (each % 50 === 0) await clock.advance(1)
    }
    await clock.advance(30_000)
    void page.read()
    await clock.advance(10)
    const types = page.take()
    expect(types.length).toBeLessThanOrEqual(101)
    expect(types.at(-1)).toBe('missed')
    say(text('later'))
    await clock.advance(1)
    expect(page.take()).toEqual(['team.updated'])
    await clock.advance(20_000)
    expect(page.lastId).toBe('later')
  })

  // Promise: changes-reach-all-pages
  it('is ended after a minute in which it reads nothing', async () => {
    const { open, clock, happen, admin } = await changesWorld()
    const pages: Page[] = []
    for (let each = 0; each < 100; each++) pages.push(await open(ada, { isRead: false }))
    await clock.advance(85_000)
    // Its place is free again.
    expect((await open(ada)).response.status).toBe(200)
    void pages[0]!.read()
    await clock.advance(1)
    expect(pages[0]!.end).toBe('failed')
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
  })
})

const burst = runs(10_000, 100_000)

// Promise: changes-reach-all-pages
it(`a burst of ${burst} events is kept in bounded memory, and each page is told that it has missed some`, async () => {
  const { options, say } = channel()
  const { open, clock, answerWith, platform } = await changesWorld(options)
  const pages = [await open(ada), await open(eve)]
  let loads = 0
  answerWith((...sent) => {
    loads++
    return platform.options.fetch(...sent)
  })
  for (let each = 0; each < burst; each++) say(text(`id-${each}`, 'team.updated', { id: `team-${each}` }))
  await clock.advance(60_000)
  expect(pages.map(page => page.take())).toEqual([['missed'], ['missed']])
  expect(loads).toBeLessThanOrEqual(2000)
  // Nothing is left behind.
  say(text('after'))
  await clock.advance(1)
  expect(pages.map(page => page.take())).toEqual([['team.updated'], []])
})

it.each([
  ['new users', (place: number) => text(`id-${place}`, 'user.created', { id: idOf(place) })],
  ['new members', (place: number) => text(`id-${place}`, 'team_membership.created', { teamId, userId: idOf(place) })],
])('a burst of 10,000 %s is answered, and what follows is told', async (_, textOf) => {
  const { options, say } = channel()
  const { open, clock } = await changesWorld(options)
  const page = await open(ada)
  say(text('first'))
  await clock.advance(1)
  expect(page.take()).toEqual(['team.updated'])
  for (let each = 0; each < 10_000; each++) say(textOf(each))
  await clock.advance(60_000)
  expect(page.take()).toContain('missed')
  say(text('after'))
  await clock.advance(1)
  expect(page.take()).toEqual(['team.updated'])
})

describe('several processes', () => {
  // Promise: changes-reach-all-pages
  it('tell their pages of each event once, whichever has received it', async () => {
    const { options } = channel()
    const { open, happen, admin, process, sent, settled, clock } = await changesWorld(options)
    const other = process(options)
    await clock.advance(31_000)
    const [here, there] = [await open(ada), await open(grace, { of: other })]
    await happen(admin.updateTeamById({ teamId, displayName: 'a' }))
    expect([here.take(), there.take()]).toEqual([['team.updated'], ['team.updated']])
    expect((await settled(other.receive(sent[0]!.clone()))).status).toBe(200)
    await clock.advance(1)
    expect([here.take(), there.take()]).toEqual([[], []])
  })

  it('end the streams of a deleted user in each of them', async () => {
    const { options } = channel()
    const { open, happen, admin, process, clock, graceId } = await changesWorld(options)
    const other = process(options)
    await clock.advance(31_000)
    const [here, there] = [await open(ada), await open(grace, { of: other })]
    await happen(admin.deleteUserById({ userId: graceId }))
    expect(there.end).toBe('ended')
    expect(here.take()).toContain('user.deleted')
  })

  it('say with a text that they may have lost some', async () => {
    const { options, say } = channel()
    const { open, clock } = await changesWorld(options)
    const page = await open(ada)
    say('{"type":"missed"}')
    await clock.advance(10_000)
    expect(page.take()).toEqual(['missed'])
  })

  it('tell a page that comes back later, too, that they may have lost some', async () => {
    const { options, say } = channel()
    const { open, clock } = await changesWorld(options)
    const page = await open(ada)
    say(text('known'))
    await clock.advance(1)
    const { lastId } = page
    expect(lastId).toBe('known')
    page.leave()
    say('{"type":"missed"}')
    await clock.advance(60_000)
    const [second, third] = [await open(ada, { lastId }), await open(grace)]
    await clock.advance(10_000)
    expect([second.take(), third.take()]).toEqual([['missed'], []])
    say(text('known'))
    await clock.advance(1)
    expect(second.take()).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['an id of several lines', text('x\ndata: {"type":"missed"}\n\nid: y')],
    ['an id that no header can contain', text('→')],
    ['more than the platform says', text('x', 'team.updated', { id: teamId, more: 'x'.repeat(40_000) })],
    ['no object', '1'],
    ['no id', JSON.stringify({ type: 'team.updated', data: { id: teamId } })],
    ['an endless id', text('x'.repeat(201))],
    ['another type', text('x', 'project.updated')],
    ['a type of objects', text('x', 'constructor')],
    ['no data', text('x', 'team.updated', null as never)],
    ['the type of another team', text('x', 'team_membership.created', { teamId })],
    ['no id of a team', text('x', 'team.updated', { id: 1 })],
    ['no text', undefined as never],
  ])('ignore what the channel brings with %s', async (_, given) => {
    const { options, say } = channel()
    const { open, clock, reports } = await changesWorld(options)
    const page = await open(ada)
    say(given)
    await clock.advance(30_000)
    expect(page.take()).toEqual([])
    expect(reports).toEqual([])
  })

  it('leave the channel when they are closed', async () => {
    const { options, listeners } = channel()
    const { server, secret, live } = await changesWorld(options)
    const other = changes(server, { webhookSecret: secret, ...options })
    expect(listeners.size).toBe(2)
    other.close()
    other.close()
    live.close()
    expect(listeners.size).toBe(0)
  })
})
