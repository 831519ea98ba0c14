import * as v from 'valibot'
import { millis } from '../../../src/core/wire'
import { virtualClock } from 'rxauth/platform'
import { AccessTokens } from '../../../src/platform/model/access-tokens'
import { Journal } from '../../../src/platform/data/journal'
import type { PlatformServices } from '../../../src/platform/model/engine'
import { perform } from '../../../src/platform/http/perform'
import { plain } from '../../../src/platform/model/refusal'
import { compile } from '../../../src/platform/http/router'
import { createProjects } from '../../../src/platform/test-tools/seed'
import { serve, type ServedRoute } from '../../../src/platform/http/serve'
import { schema } from '../../../src/platform/model/tables'
import { endpoint } from '../../../src/transport/endpoint'
import { localProject } from '../../../src/core/defaults'
import { ada, expectPlain, expectRefusal, toAnswer } from '../wire-world'
import { defaultWire, rulesOf } from '../../../src/platform/model/release'
import { toResponse } from '../../../src/platform/http/reply'

function newJournal() {
  const journal = new Journal(schema)
  journal.runNow(database => createProjects(database, 0, undefined, true))
  return journal
}

/** Sends one request to the only address of these declarations. */
async function send(served: readonly ServedRoute[], path: string, init: RequestInit = {}, journal = newJournal()) {
  const clock = virtualClock()
  const host: PlatformServices = {
    journal,
    clock,
    accessTokens: new AccessTokens(journal, clock),
    rules: rulesOf(defaultWire),
    passwordCost: 'test',
    rotation: null,
    isStrict: false,
    silentPasskeys: false,
    nextUsers: [],
    tellWebhook: () => undefined,
    mailsWait: () => undefined,
    refusesMail: () => false,
    deliver: () => undefined,
  }
  const [address] = compile(served)
  if (!address) throw new Error('nothing is served')
  const request = new Request(`http://localhost/api/v1${path}`, {
    ...init,
    headers: {
      'x-stack-access-type': 'client',
      'x-stack-project-id': localProject.projectId,
      'x-stack-publishable-client-key': localProject.publishableClientKey,
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
    },
  })
  return toAnswer(toResponse(await perform(host, address, { thing: 'x' }, request), request))
}

describe('a call below the level of its endpoint', () => {
  it.each([
    ['server', ['server', 'admin']],
    ['admin', ['admin']],
  ] as const)('of a %s endpoint is told who may, before its form is looked at', async (access, allowed) => {
    const served = serve(endpoint('POST /things/{thing}', { access, body: { a: v.string() } }), {}, () => undefined)
    const answer = await send(served, '/things/x?b=1', { method: 'POST', body: '{' })
    const details = { actual_access_type: 'client', allowed_access_types: allowed }
    expect(expectRefusal(answer, 'INSUFFICIENT_ACCESS_TYPE')).toEqual(details)
  })
})

describe('an answer', () => {
  const thing = v.object({ id: v.string(), madeAt: millis(), part: v.object({ isNew: v.boolean() }) })
  const value = { id: 'x', madeAt: new Date(5), part: { isNew: true, secret: 1 }, secret: 2 }

  it('is reduced to the declared shape in wire names, with the status of its endpoint', async () => {
    const declared = endpoint('GET /things/{thing}', { access: 'client', returns: thing })
    const { status, text } = await send(
      serve(declared, { status: 201 }, () => value),
      '/things/x',
    )
    expect([status, text]).toEqual([201, '{"id":"x","made_at_millis":5,"part":{"is_new":true}}'])
  })

  it('says success where the endpoint returns nothing, unless the platform declares an answer', async () => {
    const declared = endpoint('GET /things/{thing}', { access: 'client' })
    expect(
      (
        await send(
          serve(declared, {}, () => undefined),
          '/things/x',
        )
      ).body,
    ).toEqual({ success: true })
    const answers = v.object({ isNew: v.boolean() })
    const served = serve(declared, { answers }, () => ({ isNew: false }))
    expect((await send(served, '/things/x')).body).toEqual({ is_new: false })
  })
})

describe('the writes of a handler', () => {
  const write = endpoint('POST /things/{thing}', { access: 'client', body: { name: v.string() } })
  const named = (name: string) => ({ method: 'POST', body: JSON.stringify({ name }) })
  const login = { id: 'x', loginCode: '', expiresAt: 0, refreshToken: null, anonymousRefreshToken: null, usedAt: null }
  const logins = (journal: ReturnType<typeof newJournal>) =>
    journal.committed
      .of(localProject.projectId)
      .cliLogins.rows()
      .map(({ loginCode }) => loginCode)

  it('are committed once it has answered', async () => {
    const journal = newJournal()
    const served = serve(write, {}, async ({ engine, input }) => {
      engine.tables.cliLogins.put({ ...login, loginCode: input.name })
      await Promise.resolve()
      expect(logins(journal)).toEqual([])
    })
    expect((await send(served, '/things/x', named('a'), journal)).status).toBe(200)
    expect(logins(journal)).toEqual(['a'])
  })

  it.each([
    ['refuses', () => plain(400, 'no')],
    ['is broken', () => new TypeError('oops')],
  ])('are undone when it %s, except those before keep', async (_, error) => {
    const journal = newJournal()
    const served = serve(write, {}, async ({ engine, input }) => {
      engine.tables.cliLogins.put({ ...login, loginCode: input.name })
      if (input.name === 'kept') engine.keep()
      engine.tables.cliLogins.patch(login.id, { loginCode: 'never' })
      await Promise.resolve()
      throw error()
    })
    expect((await send(served, '/things/x', named('lost'), journal)).status).toBeGreaterThanOrEqual(400)
    expect(logins(journal)).toEqual([])
    expect((await send(served, '/things/x', named('kept'), journal)).status).toBeGreaterThanOrEqual(400)
    expect(logins(journal)).toEqual(['kept'])
  })

  it('are undone if its answer cannot be encoded', async () => {
    const journal = newJournal()
    const returns = v.object({ madeAt: millis() })
    const served = serve(endpoint('GET /things/{thing}', { access: 'client', returns }), {}, ({ engine }) => {
      engine.tables.cliLogins.put(login)
      return {
        get madeAt(): Date {
          throw new TypeError('oops')
        },
      }
    })
    expectPlain(await send(served, '/things/x', {}, journal), 500)
    expect(logins(journal)).toEqual([])
  })

  it('do not wait for the body of another request', async () => {
    const journal = newJournal()
    const served = serve(write, {}, ({ engine, input }) => {
      engine.tables.cliLogins.put({ ...login, id: input.name, loginCode: input.name })
    })
    let arrive: () => void = () => undefined
    const slow = new ReadableStream({
      start: controller => {
        arrive = () => {
          controller.enqueue(new TextEncoder().encode('{"name":"slow"}'))
          controller.close()
        }
      },
    })
    const first = send(served, '/things/x', { method: 'POST', body: slow, duplex: 'half' } as RequestInit, journal)
    expect((await send(served, '/things/x', named('quick'), journal)).status).toBe(200)
    arrive()
    expect((await first).status).toBe(200)
    expect(logins(journal)).toEqual(['quick', 'slow'])
  })
})

describe('the input', () => {
  const change = endpoint('PATCH /things/{thing}', {
    access: 'client',
    body: { name: v.string(), madeAt: v.optional(millis()) },
    fixed: { user_id: 'me' },
  })

  it('joins path and body in local terms, with fields that the kit does not declare', async () => {
    const seen: unknown[] = []
    const served = serve(change, { body: { isOld: v.optional(v.boolean()) } }, ({ input }) => {
      seen.push(input)
    })
    const body = `{"name":"a","made_at_millis":"7","is_old":"true","user_id":"${ada.id}"}`
    expect((await send(served, '/things/x', { method: 'PATCH', body })).status).toBe(200)
    expect(seen).toEqual([{ thing: 'x', name: 'a', madeAt: new Date(7), isOld: true, userId: ada.id }])
  })

  it("has the platform's stricter checks", async () => {
    const served = serve(change, { body: { name: v.pipe(v.string(), v.maxLength(1, 'is too long')) } }, () => undefined)
    const answer = await send(served, '/things/x', { method: 'PATCH', body: '{"name":"ab"}' })
    expect(expectRefusal(answer, 'SCHEMA_ERROR')['message']).toContain('body.name is too long')
  })

  it('needs a body if the route declares one, even an empty one, and may require a user, reported like it', async () => {
    const grant = endpoint('POST /things/{thing}', { access: 'client' })
    const lax = serve(grant, {}, () => undefined)
    const strict = serve(grant, { body: {} }, () => undefined)
    const ofUser = serve(grant, { requires: ['user'] }, () => undefined)
    expect((await send(lax, '/things/x', { method: 'POST' })).status).toBe(200)
    for (const served of [strict, ofUser])
      expectRefusal(await send(served, '/things/x', { method: 'POST' }), 'SCHEMA_ERROR')
    expect((await send(strict, '/things/x', { method: 'POST', body: '{}' })).status).toBe(200)
  })
})

describe('a handler', () => {
  const returns = v.object({ id: v.string(), madeAt: millis() })
  const read = endpoint('GET /things/{thing}', { access: 'client', returns })

  it('does not compile with a wrong reply', () => {
    // @ts-expect-error a field is missing
    serve(read, {}, () => ({ id: 'x' }))
    // @ts-expect-error on the wire it is milliseconds, here it is a Date
    serve(read, {}, () => ({ id: 'x', madeAt: 5 }))
    // @ts-expect-error the same for a promise
    serve(read, {}, async () => ({ id: 5, madeAt: new Date(5) }))
    // @ts-expect-error there is something to answer
    serve(read, {}, () => undefined)
    // @ts-expect-error an answer of the platform's own is checked, too
    serve(read, { answers: v.object({ isNew: v.boolean() }) }, () => ({ id: 'x', madeAt: new Date(5) }))
    // @ts-expect-error the path has no such parameter
    serve(read, {}, ({ input }) => ({ id: input.otherId, madeAt: new Date(5) }))
    const [served] = serve(read, {}, ({ input }) => ({ id: input.thing, madeAt: new Date(5) }))
    expect(served?.route).toBe(read.route)
  })
})
