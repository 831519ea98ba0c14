import { expectPlain, expectRefusal, signInAda, toAnswer, wireWorld, keysFor } from '../wire-world'

const line = 'GET /projects/current'

describe('a fault', () => {
  it('applies to the next request of its route, once', async () => {
    const { ask, platform } = wireWorld()
    platform.faults.next(line, { status: 503 })
    expect((await ask('GET /')).status).toBe(200)
    expectPlain(await ask(line), 503)
    expect((await ask(line)).status).toBe(200)
  })

  it('applies to `times` requests, in the order in which faults were set', async () => {
    const { ask, platform } = wireWorld()
    platform.faults.next(line, { status: 500, times: 2 })
    platform.faults.next('*', { status: 502 })
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push((await ask(line)).status)
    expect(statuses).toEqual([500, 500, 502, 200])
  })

  it('applies to every request until it is removed, after faults for the next request', async () => {
    const { ask, platform } = wireWorld()
    const stop = platform.faults.every('*', { status: 500 })
    platform.faults.next(line, { status: 429, retryAfter: '7' })
    const { status, headers } = await ask(line)
    expect([status, headers.get('retry-after')]).toEqual([429, '7'])
    expect((await ask(line)).status).toBe(500)
    stop()
    expect((await ask(line)).status).toBe(200)
  })

  it('is cleared with the others', async () => {
    const { ask, platform } = wireWorld()
    platform.faults.next(line, { status: 500 })
    platform.faults.every(line, { status: 500 })
    platform.faults.clear()
    expect((await ask(line)).status).toBe(200)
  })

  it('with a status ignores the override, does no work and is readable across origins', async () => {
    const { ask, platform } = wireWorld()
    const { refresh_token } = await signInAda({ ask } as ReturnType<typeof wireWorld>)
    platform.faults.next('DELETE /users/me', { status: 502 })
    const answer = await ask('DELETE /users/me', { headers: { 'x-stack-override-error-status': 'true' } })
    expect([answer.status, answer.headers.has('x-stack-request-id')]).toEqual([502, false])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const headers = { 'x-stack-refresh-token': refresh_token }
    expect((await ask('POST /auth/sessions/current/refresh', { headers })).status).toBe(200)
  })

  it('that delays does the work at once and answers later', async () => {
    const { ask, clock, platform } = wireWorld()
    const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    let name: unknown
    void ask('GET /users/me', { accessToken }).then(({ body }) => {
      name = body.display_name
    })
    await clock.advance(0)
    await ask('PATCH /users/me', { accessToken, body: { display_name: 'Countess' } })
    await clock.advance(999)
    expect(name).toBeUndefined()
    await clock.advance(1)
    expect(name).toBe('Ada')
  })

  it('that loses the answer does the work and breaks the connection', async () => {
    const { ask, platform } = wireWorld()
    const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
    platform.faults.next('PATCH /users/me', { loseResponse: true })
    await expect(ask('PATCH /users/me', { accessToken, body: { display_name: 'Countess' } })).rejects.toThrow(
      'fetch failed',
    )
    expect((await ask('GET /users/me', { accessToken })).body.display_name).toBe('Countess')
  })

  it('cuts a body in half', async () => {
    const { ask, platform } = wireWorld()
    const whole = (await ask(line)).text
    platform.faults.next(line, { body: 'truncated' })
    const { status, text, headers } = await ask(line)
    expect([status, text, headers.get('content-type')]).toEqual([
      200,
      whole.slice(0, whole.length / 2),
      'application/json; charset=utf-8',
    ])
  })

  it('replaces a body by text that is not JSON', async () => {
    const { ask, platform } = wireWorld()
    platform.faults.next(line, { body: 'garbage' })
    expect((await ask(line)).text).toMatch(/^<!doctype html>/)
  })

  it.each([
    ['GET /users/me', 'CANNOT_GET_OWN_USER_WITHOUT_USER', 'SCHEMA_ERROR'],
    ['PATCH /users/me', 'SCHEMA_ERROR', 'BODY_PARSING_ERROR'],
  ])('gives the refusal of %s the header of another code', async (route, code, other) => {
    const { ask, platform } = wireWorld()
    expectRefusal(await ask(route), code)
    platform.faults.next(route, { body: 'wrong-code' })
    const { body, headers } = await ask(route)
    expect([body.code, headers.get('x-stack-known-error')]).toEqual([code, other])
  })

  it('for an unknown route throws, with a list of the routes', () => {
    const { platform } = wireWorld()
    expect(() => platform.faults.next('GET /user/me', { status: 500 })).toThrow(
      /"GET \/user\/me" is no route.*\n[^]*GET \/users\/me/,
    )
  })

  it('does not apply to requests outside the endpoints', async () => {
    const { platform } = wireWorld()
    platform.faults.every('*', { status: 500 })
    const request = new Request(`${platform.options.baseUrl}/health`, { headers: keysFor(platform, 'client') })
    expect((await toAnswer(await platform.fetch(request))).status).toBe(200)
  })
})
