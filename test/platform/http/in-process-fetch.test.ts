import { createPlatform, virtualClock } from 'rxauth/platform'
import { wireWorld } from '../wire-world'

describe('the fetch of its options', () => {
  const { fetch, baseUrl } = createPlatform({ clock: virtualClock() }).options

  it('takes the same arguments as the real one', async () => {
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200)
    expect((await fetch(new URL(`${baseUrl}/health`), { credentials: 'omit', cache: 'no-store' })).status).toBe(200)
    expect((await fetch(new Request(`${baseUrl}/health`))).status).toBe(200)
  })

  it('rejects with the reason when it is aborted before', async () => {
    const reason = new Error('enough')
    await expect(fetch(`${baseUrl}/health`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('rejects with the reason when it is aborted while the answer is held back', async () => {
    const { platform } = wireWorld()
    platform.faults.next('GET /', { delayMillis: 1000 })
    const abort = new AbortController()
    const answer = platform.options.fetch(`${baseUrl}/api/v1`, { signal: abort.signal })
    const reason = { why: 'enough' }
    abort.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
})
