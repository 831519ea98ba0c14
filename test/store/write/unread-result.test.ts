import { inspect } from 'node:util'
import { createKit, orThrow, resetPassword, signInWithPassword, type ClientApp, type Kit } from 'rxauth'
import { watchResult } from '../../../src/store/write/unread-result'
import { ada, world } from '../../world'

const wrong = { email: ada.email, password: 'wrong password' }

let warn: jest.SpyInstance
beforeEach(() => (warn = jest.spyOn(console, 'warn').mockImplementation()))
afterEach(() => warn.mockRestore())

/** A result that has just come. */
async function fresh() {
  const all = await world()
  const app = all.newApp()
  return { ...all, app, result: await all.settled(app.signInWithPassword(wrong)) }
}

describe('a failed result that nothing reads', () => {
  // Promise: unread-result
  it('is told of after a second, once for each method, with what to do', async () => {
    const { app, clock } = await fresh()
    await clock.advance(999)
    expect(warn).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/signInWithPassword has failed with EMAIL_PASSWORD_MISMATCH.*check result\.ok.*orThrow/)],
    ])
    expect(String(warn.mock.calls)).not.toContain(wrong.password)
    for (let count = 0; count < 3; count++) void app.signInWithPassword(wrong)
    await clock.advance(5000)
    expect(warn).toHaveBeenCalledTimes(1)
    void app.sendMagicLinkEmail({ email: 'no address', callbackUrl: 'https://app.example.com/' })
    await clock.advance(5000)
    expect(warn).toHaveBeenCalledTimes(2)
  })

  it.each<[name: string, call: (kit: Kit) => Promise<unknown>, named: string]>([
    ['a sign-in', kit => signInWithPassword(kit, wrong), 'the sign-in by password'],
    ['a write', kit => resetPassword(kit, { code: '0'.repeat(45), password: 'correct horse' }), 'resetPassword'],
  ])('of %s with a kit is told of too', async (_, call, named) => {
    const { platform, clock } = await world()
    const kit = createKit({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
    const result = await clock.settled(call(kit))
    await clock.advance(1000)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${named} has failed`)]])
    expect(result).toMatchObject({ ok: false })
  })

  // Promise: unread-result
  it('costs no timer that counts, and is not told of after the disposal of its kit', async () => {
    const { app, clock } = await fresh()
    expect(app.inspect().timers).toBe(0)
    app.dispose()
    await clock.advance(5000)
    expect(warn).not.toHaveBeenCalled()
  })

  // Promise: unread-result
  it('keeps no process running', async () => {
    const { clock, newApp, settled } = await world()
    const kept: unknown[] = []
    const counting: typeof clock = {
      ...clock,
      setTimeout(run, millis, options) {
        if (millis === 1000) kept.push(options?.keepAlive)
        return clock.setTimeout(run, millis)
      },
    }
    await settled(newApp({ clock: counting }).signInWithPassword(wrong))
    expect(new Set(kept)).toEqual(new Set([false]))
  })

  // Promise: unread-result
  it('is not told of in production', async () => {
    const { clock, newApp, settled } = await world()
    const app = newApp()
    const before = process.env.NODE_ENV
    Object.assign(process.env, { NODE_ENV: 'production' })
    try {
      await settled(app.signInWithPassword(wrong))
      await clock.advance(5000)
    } finally {
      Object.assign(process.env, { NODE_ENV: before })
    }
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('a failed result', () => {
  type Given = Awaited<ReturnType<ClientApp['signInWithPassword']>>

  // Promise: unread-result
  it.each<[how: string, read: (result: Given) => unknown]>([
    ['by its `ok`', result => result.ok],
    ['by its `error`', result => !result.ok && result.error],
    ['by orThrow', result => expect(() => orThrow(result)).toThrow()],
    ['by a spread', result => ({ ...result })],
    ['as JSON', result => JSON.stringify(result)],
    ['by a clone', result => structuredClone({ ...result, error: 1 })],
    ['by a comparison', result => expect(result).toEqual({ ok: false, error: expect.anything() as unknown })],
    ['by a console', result => inspect(result)],
  ])('is not told of if it is read %s', async (_, read) => {
    const { clock, result } = await fresh()
    read(result)
    await clock.advance(5000)
    expect(warn).not.toHaveBeenCalled()
  })

  it('is not told of if an action of a page, or a redirect, has it', async () => {
    const { app, clock, result } = await fresh()
    await app.navigateAfterAuth(result)
    await clock.advance(5000)
    expect(warn).not.toHaveBeenCalled()
  })

  // Promise: unread-result
  it('is an ordinary object, before it is read, afterwards, and when it was told of', async () => {
    const { app, clock, settled } = await fresh()
    const plain = (result: Given) => {
      expect(Object.keys(result)).toEqual(['ok', 'error'])
      expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
      expect({ ...result }).toStrictEqual(result)
      expect(inspect(result)).toMatch(/^\{\s+ok: false,\s+error: AuthError/)
      expect(structuredClone(result)).toMatchObject({ ok: false })
      expect(JSON.parse(JSON.stringify(result))).toMatchObject({
        ok: false,
        error: { code: 'EMAIL_PASSWORD_MISMATCH' },
      })
      expect(Object.getOwnPropertyDescriptor(result, 'ok')).toMatchObject({ value: false, writable: true })
    }
    const one = await settled(app.signInWithPassword(wrong))
    expect(inspect(one)).toMatch(/^\{\s+ok: false,\s+error: AuthError/)
    plain(await settled(app.signInWithPassword(wrong)))
    const told = await settled(app.signInWithPassword(wrong))
    await clock.advance(1000)
    plain(told)
  })

  it('may be frozen, as stores of apps do: it can be read then, and is told of if it is not', async () => {
    const { app, clock, settled, result } = await fresh()
    const refused = { ok: false, error: expect.objectContaining({ code: 'EMAIL_PASSWORD_MISMATCH' }) as unknown }
    expect({ ...Object.freeze(result) }).toEqual(refused)
    await clock.advance(5000)
    expect(warn).not.toHaveBeenCalled()
    const unread = Object.freeze(await settled(app.signInWithPassword(wrong)))
    await clock.advance(1000)
    expect(warn).toHaveBeenCalledTimes(1)
    expect({ ...unread }).toEqual(refused)
  })

  it('that its first caller has frozen is returned to the next one', async () => {
    const { app, clock, result } = await fresh()
    expect(watchResult(app, 'another call', Object.freeze(result))).toBe(result)
    await clock.advance(5000)
    expect(String(warn.mock.calls)).not.toContain('another call')
  })

  it('of a call that succeeds is not watched', async () => {
    const { newApp, clock, settled } = await world()
    const result = await settled(newApp().signInWithPassword({ ...wrong, password: ada.password }))
    expect(Object.getOwnPropertyDescriptor(result, 'ok')).toMatchObject({ value: true })
    await clock.advance(5000)
    expect(warn).not.toHaveBeenCalled()
  })
})
