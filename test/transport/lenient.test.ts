import { emailDrafts$, emailThemes$ } from 'rxauth/admin'
import { emailOutbox$, listEmailOutbox, teamPage$, sessionsOf$ } from 'rxauth/server'
import { trace$, type TraceEvent } from 'rxauth'
import { exchangedAdmin } from '../entities/exchanged-admin'
import wire from '../wire/newer-emails.json'

const mail = (id: string) => ({ ...wire['outbox item'], id })
const broken = (id: string) => ({ ...mail(id), status: 'lost' })
const page = (items: object[], next: string | null = null) => ({
  body: { items, is_paginated: true, pagination: { next_cursor: next } },
})

let warnings: jest.SpyInstance
beforeEach(() => (warnings = jest.spyOn(console, 'warn').mockImplementation()))
afterEach(() => jest.restoreAllMocks())

/** The ids that an iteration over pages of this size gives. */
async function idsOf(replies: readonly ReturnType<typeof page>[], pageSize: number) {
  const { admin, inTime } = exchangedAdmin(replies)
  const ids: string[] = []
  const run = async () => {
    for await (const { id } of listEmailOutbox(admin, { pageSize })) ids.push(id)
  }
  await inTime(run())
  return ids
}

describe('a list that is only shown', () => {
  it('has every item but those that cannot be read, and names each once in the trace and on the console', async () => {
    const replies = [page([mail('a'), broken('b'), mail('c'), broken('d')]), page([mail('a'), broken('b')])]
    const { admin, inTime } = exchangedAdmin(replies)
    const events: TraceEvent[] = []
    trace$(admin).subscribe(event => events.push(event))
    const shown = await inTime(emailOutbox$(admin).get())
    expect([shown.items.map(({ id }) => id), shown.leftOut]).toEqual([['a', 'c'], 2])
    await inTime(emailOutbox$(admin, { limit: 50 }).get())
    expect(events.flatMap(event => (event.type === 'left-out' ? [[event.path, event.id, event.field]] : []))).toEqual([
      ['GET /emails/outbox', 'b', 'status'],
      ['GET /emails/outbox', 'd', 'status'],
    ])
    expect(warnings.mock.calls).toEqual([
      [expect.stringContaining('the item b of GET /emails/outbox is left out')],
      [expect.stringContaining('the item d of GET /emails/outbox is left out')],
    ])
  })

  it.each([
    [1, [page([mail('a')], 'b'), page([broken('b')], 'c'), page([broken('c')], 'd'), page([mail('d')])], ['a', 'd']],
    [1, [page([broken('a')], 'b'), page([broken('b')])], []],
    [2, [page([broken('a'), mail('b')], 'c'), page([broken('c'), mail('d')])], ['b', 'd']],
    [2, [page([mail('a'), broken('b')], 'c'), page([mail('c'), broken('d')])], ['a', 'c']],
  ])('of pages of %i goes on over an item left out, one request per page', async (size, replies, ids) => {
    expect(await idsOf(replies, size)).toEqual(ids)
  })

  it('of drafts, themes and teams has those that can be read', async () => {
    const { admin, inTime } = exchangedAdmin([
      { body: { drafts: [{ id: 'a', display_name: 'A', tsx_source: '' }, { id: 'b' }] } },
      { body: { themes: [5, { id: 'a', display_name: 'A' }, null] } },
      page([team('a'), { id: 'b' }]),
    ])
    expect([
      (await inTime(emailDrafts$(admin).get())).map(({ id }) => id),
      (await inTime(emailThemes$(admin).get())).map(({ id }) => id),
      (await inTime(teamPage$(admin).get())).items.map(({ id }) => id),
    ]).toEqual([['a'], ['a'], ['a']])
    expect(warnings).toHaveBeenCalledTimes(4)
  })

  it('may have more items than a call takes arguments', async () => {
    const themes = Array.from({ length: 200_000 }, (_, id) => ({ id: String(id), display_name: 'A' }))
    const { admin, inTime } = exchangedAdmin([{ body: { themes: [null, ...themes] } }])
    expect(await inTime(emailThemes$(admin).get())).toHaveLength(200_000)
  })

  it('is read with null wherever a mail has no value', async () => {
    const { id, created_at_millis, updated_at_millis, scheduled_at_millis, to, tsx_source } = mail('a')
    const empty = Object.fromEntries(Object.keys(mail('a')).map(key => [key, null]))
    const variables = { variables: {}, send_retries: 0, skip_deliverability_check: false, has_rendered: false }
    const base = { id, created_at_millis, updated_at_millis, scheduled_at_millis, to, tsx_source, ...variables }
    const rest = { created_with: 'draft', status: 'preparing', simple_status: 'in-progress', is_paused: false }
    const flags = { has_delivered: false }
    const { admin, inTime } = exchangedAdmin([page([{ ...empty, ...base, ...rest, ...flags }])])
    const { items, leftOut } = await inTime(emailOutbox$(admin).get())
    expect([items[0]?.notificationCategoryId, items[0]?.html, leftOut]).toEqual([null, undefined, undefined])
  })

  it('rejects if it is no list at all', async () => {
    const { admin, inTime } = exchangedAdmin([{ body: { items: 5, is_paginated: true } }])
    await expect(inTime(emailOutbox$(admin).get())).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })
})

function team(id: string) {
  return {
    id,
    display_name: 'A',
    profile_image_url: null,
    client_metadata: null,
    client_read_only_metadata: null,
    server_metadata: null,
    created_at_millis: 1,
  }
}

it('a list from which something is concluded rejects with one item that cannot be read', async () => {
  const session = { id: 'a', user_id: 'u', created_at: 1, last_used_at: 1, is_impersonation: false }
  const { admin, inTime } = exchangedAdmin([{ body: { items: [session, { id: 'b' }], is_paginated: false } }])
  await expect(inTime(sessionsOf$(admin, { userId: 'u' }).get())).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  expect(warnings).not.toHaveBeenCalled()
})
