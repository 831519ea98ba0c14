import { virtualClock } from 'rxauth/platform'
import { webhookMemory } from 'rxauth/server'
import { body, outcomeOf, post, signed } from './webhook-world'

describe('a memory of deliveries', () => {
  // Promise: webhook-refused
  it('refuses an event that was accepted before, but not because a forged one had its id', async () => {
    const memory = webhookMemory()
    const headers = signed()
    expect(await outcomeOf(post(headers, `${body} `), { memory })).toBe('forged')
    expect(await outcomeOf(post(headers), { memory })).toBe('team.deleted')
    expect(await outcomeOf(post(headers), { memory })).toBe('replayed')
    memory.release(headers['svix-id'])
    expect(await outcomeOf(post(headers), { memory })).toBe('team.deleted')
  })

  it('takes one of two that come at once', async () => {
    const memory = webhookMemory()
    const headers = signed()
    const outcomes = await Promise.all([post(headers), post(headers)].map(request => outcomeOf(request, { memory })))
    expect(outcomes.sort()).toEqual(['replayed', 'team.deleted'])
  })

  it('takes no event that cannot be read for handled: the platform goes on to send it', async () => {
    const memory = webhookMemory()
    for (const text of ['{}', JSON.stringify({ type: 'team.deleted', data: { id: 7 } })])
      for (let attempt = 0; attempt < 2; attempt++)
        expect(await outcomeOf(post(signed({ text }), text), { memory })).toBe('INVALID_RESPONSE')
    expect(await outcomeOf(post(signed()), { memory })).toBe('team.deleted')
  })

  // Promise: webhook-refused
  it.each([-300_000, 0, 300_000])('keeps one sent %i ms ago for as long as its signature is good', async millis => {
    const clock = virtualClock()
    const memory = webhookMemory({ clock })
    const headers = signed({ at: new Date(clock.now() - millis) })
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('team.deleted')
    const goodMillis = 300_000 - millis
    await clock.advance(goodMillis)
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('replayed')
    await clock.advance(1000)
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('too-old')
    expect(memory.claim(headers['svix-id'], 1)).toBe(true)
  })

  it('may be somewhere else', async () => {
    const asked: [string, number][] = []
    const memory = {
      claim: async (id: string, keepMillis: number) => {
        asked.push([id, keepMillis])
        return asked.length === 1
      },
    }
    const clock = virtualClock()
    const headers = signed({ at: new Date(clock.now()) })
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('team.deleted')
    expect(await outcomeOf(post(headers), { clock, memory })).toBe('replayed')
    expect(asked[0]).toEqual([headers['svix-id'], 301_000])
  })
})
