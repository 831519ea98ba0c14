import { listenTo } from './local-world'
import { wireWorld } from '../wire-world'

describe('the events of a local platform', () => {
  it('keep a quiet connection open, but no process running', async () => {
    const { platform, clock } = wireWorld()
    const response = await platform.fetch(new Request(`${platform.options.baseUrl}/__local__/events`))
    const reader = response.body!.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toMatch(/^event: hello\n/)
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await reader.cancel()
  })

  it('end for a reader that stops reading', async () => {
    const { platform } = wireWorld()
    const events = await listenTo(platform)
    for (let count = 0; count < 1001; count++) platform.faults.clear()
    let seen = 0
    while (await events.next()) seen++
    expect(seen).toBe(1000)
  })
})
