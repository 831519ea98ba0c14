import { PassThrough } from 'node:stream'
import { createClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { merge, Subject } from 'rxjs'
import { systemClock } from '../../src/core/clock'

interface Changes {
  follow(request: { url: string }, response: object, user: { userId: string; expiresAt: Date }): Promise<void>
  close(): void
}

interface Module {
  changes(options: { app: object; projectId: string; webhooks$: object }): Changes
}

/** It has no types of its own. */
const file: string = '../../react/example/server/changes.mjs'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const [ada, grace, eve] = ['ada@example.com', 'grace@example.com', 'eve@example.com'] as const

const mark = 'mark'

const inMillis = (millis: number) => new Date(systemClock.now() + millis)

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

/** The team has Ada and Grace; Eve is a stranger. */
async function backend() {
  const { changes } = (await import(file)) as Module
  const platform = createPlatform({
    seed: {
      users: [ada, grace, eve].map(email => ({ email })),
      teams: [{ id: teamId, displayName: 'Ops', members: [{ email: ada }, { email: grace }] }],
    },
  })
  const server = createServerApp(platform.serverOptions)
  const { projectId } = platform.options
  const more$ = new Subject<object>()
  const live = changes({ app: server, projectId, webhooks$: merge(platform.webhooks$, more$) })
  const pages = new Set<{ readonly userId: string; marked: () => void }>()
  closing.push(
    () => platform.dispose(),
    () => server.dispose(),
    () => live.close(),
  )

  async function idOf(email: string): Promise<string> {
    const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor(email) })
    const user = await app.user$.get()
    app.dispose()
    return user!.id
  }

  /** A page of the user; `after`: how far it has come before. */
  async function page(email: string, { after = '', expiresAt = inMillis(600_000) } = {}) {
    const response = Object.assign(new PassThrough(), { writeHead: () => undefined })
    const opened = {
      response,
      userId: await idOf(email),
      after: '',
      read: () => read.splice(0).map(one => [one.type, ...ids(one.data)].join(' ')),
      marked() {},
    }
    let text = ''
    const read: { type: string; data: Record<string, string> }[] = []
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        const [event, id, data] = text.slice(0, at).split('\n')
        text = text.slice(at + 2)
        opened.after = id!.slice('id: '.length)
        if (event !== 'event: message') continue
        const told = JSON.parse(data!.slice('data: '.length)) as (typeof read)[number]
        if (told.data?.['id'] === mark) opened.marked()
        else read.push(told)
      }
    })
    await live.follow({ url: `/api/changes?after=${after}` }, response, { userId: opened.userId, expiresAt })
    closing.push(() => response.destroy())
    pages.add(opened)
    response.once('close', () => {
      pages.delete(opened)
      opened.marked()
    })
    return opened
  }

  const names = new Map([[teamId, 'Ops']])
  for (const [name, email] of Object.entries({ Ada: ada, Grace: grace, Eve: eve })) names.set(await idOf(email), name)
  const ids = (data: Record<string, string> = {}) =>
    Object.entries(data).flatMap(([key, id]) => (id ? [`${key}=${names.get(id) ?? id}`] : []))

  /** Makes the change, and waits until it has been told. */
  async function happen(change: Promise<unknown>): Promise<void> {
    await change
    await platform.webhooks.idle()
    // Events are told one after the other: one that a page alone is told ends what came before.
    for (const page of pages) {
      const marked = new Promise<void>(resolve => (page.marked = resolve))
      more$.next({ projectId, id: mark, type: 'project_permission.created', data: { id: mark, user_id: page.userId } })
      await marked
    }
  }
  return { platform, server, page, happen, idOf, more$ }
}

it('tells members of their team, users of themselves and of people in their teams, and no other user', async () => {
  const { server, page, happen, idOf } = await backend()
  const [a, g, e] = [await page(ada), await page(grace), await page(eve)]
  const all = () => [a.read(), g.read(), e.read()]
  await happen(server.updateTeamById({ teamId, displayName: 'Operations' }))
  expect(all()).toEqual([['team.updated id=Ops teamId=Ops'], ['team.updated id=Ops teamId=Ops'], []])
  await happen(server.updateUserById({ userId: await idOf(ada), displayName: 'Ada' }))
  expect(all()).toEqual([['user.updated id=Ada userId=Ada'], ['user.updated id=Ada userId=Ada'], []])
  await happen(server.updateUserById({ userId: await idOf(eve), displayName: 'Eve' }))
  expect(all()).toEqual([[], [], ['user.updated id=Eve userId=Eve']])
})

it('tells a removed member of the removal and of nothing after it, and a new one from then on', async () => {
  const { server, page, happen, idOf } = await backend()
  const [a, g, e] = [await page(ada), await page(grace), await page(eve)]
  const all = () => [a.read(), g.read(), e.read()]
  await happen(server.removeTeamMemberById({ teamId, userId: await idOf(grace) }))
  const removed = 'team_membership.deleted teamId=Ops userId=Grace'
  expect(all()).toEqual([[removed], [removed], []])
  await happen(server.addTeamMemberById({ teamId, userId: await idOf(eve) }))
  const added = [
    'team_membership.created teamId=Ops userId=Eve',
    'team_permission.created id=team_member teamId=Ops userId=Eve',
  ]
  expect(all()).toEqual([added, [], added])
  await happen(server.deleteTeamById({ teamId }))
  expect(all()).toEqual([['team.deleted id=Ops teamId=Ops'], [], ['team.deleted id=Ops teamId=Ops']])
})

it('tells of a deleted user the members of their teams', async () => {
  const { server, page, happen, idOf } = await backend()
  const [a, e] = [await page(ada), await page(eve)]
  await happen(server.deleteUserById({ userId: await idOf(grace) }))
  expect([a.read(), e.read()]).toEqual([
    ['team_membership.deleted teamId=Ops userId=Grace', 'user.deleted id=Grace userId=Grace'],
    [],
  ])
})

it('tells a page that connects again whether it has missed something', async () => {
  const { server, page, happen } = await backend()
  const first = await page(ada)
  expect(first.read()).toEqual([])
  const again = await page(ada, { after: first.after })
  expect(again.read()).toEqual([])
  first.response.destroy()
  again.response.destroy()
  await happen(server.updateTeamById({ teamId, displayName: 'Operations' }))
  const { read, after } = await page(ada, { after: again.after })
  expect(read()).toEqual(['missed'])
  expect((await page(ada, { after })).read()).toEqual([])
  // Its place is of a process that has ended.
  expect((await page(ada, { after: '0' })).read()).toEqual(['missed'])
  // Another process has told as many events.
  const [, count] = after.match(/-(\d+)$/)!
  expect((await page(ada, { after: `other-${count}` })).read()).toEqual(['missed'])
  // Its page may have loaded before the change.
  expect((await page(ada)).read()).toEqual(['missed'])
})

it('tells all pages that they may have missed something if the platform does not say who may know', async () => {
  const { platform, server, page, happen } = await backend()
  const print = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const e = await page(eve)
  platform.faults.every('GET /team-member-profiles', { status: 403 })
  await happen(server.updateTeamById({ teamId, displayName: 'Operations' }))
  expect(e.read()).toEqual(['missed'])
  expect(print).toHaveBeenCalledTimes(1)
  print.mockRestore()
})

it('tells nothing of other projects, and asks the platform nothing while no page reads', async () => {
  const { more$, platform, server, page, happen, idOf } = await backend()
  const { read, response } = await page(ada)
  const data = { id: await idOf(ada) }
  more$.next({ projectId: 'internal', id: 'other', type: 'user.deleted', data })
  await happen(Promise.resolve())
  expect(read()).toEqual([])
  response.destroy()
  const requests: string[] = []
  platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
  await happen(server.updateTeamById({ teamId, displayName: 'Operations' }))
  expect(requests).toEqual([`PATCH /teams/${teamId}`])
})

it('ends when the token expires, and when its reader does not read', async () => {
  const { server, page, happen } = await backend()
  const { response } = await page(ada, { expiresAt: inMillis(0) })
  await new Promise(resolve => response.once('end', resolve))
  const slow = await page(ada)
  Object.defineProperty(slow.response, 'writableLength', { value: 1_000_001 })
  await happen(server.updateTeamById({ teamId, displayName: 'Operations' }))
  expect(slow.response.destroyed).toBe(true)
})
