import { device } from './autofill-world'
import { ada } from '../../world'

describe('the options that a browser gets', () => {
  const tampered = async (change: (options: Record<string, unknown>) => unknown) => {
    const { platform, newApp, input, settled } = await device()
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await platform.options.fetch(...request)
      const body = (await response.json()) as { options_json?: Record<string, unknown> }
      if (body.options_json) change(body.options_json)
      return Response.json(body, { headers: response.headers })
    }
    const app = newApp({ fetch, tokens: await settled(platform.tokensFor(ada.email)) })
    return { app, input, settled }
  }

  it('name this site and no other', async () => {
    const { app, input, settled } = await tampered(options => (options['rpId'] = 'evil.example'))
    await expect(settled(app.signInWithPasskey(input))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
  })

  it.each([
    ['', 'not 0'],
    ['A'.repeat(87), 'not 65'],
  ])('have a user id of 1 to 64 bytes', async (id, text) => {
    const { app, input, settled } = await tampered(options => (options['user'] = { id, name: 'n', displayName: 'n' }))
    await expect(settled(app.registerPasskey(input))).rejects.toThrow(text)
  })

  it.each([
    [1, 'AA'],
    [64, 'A'.repeat(86)],
  ])('may have one of %i bytes', async (_, id) => {
    const { app, input, settled } = await tampered(options => (options['user'] = { id, name: 'n', displayName: 'n' }))
    expect(await settled(app.registerPasskey(input))).toMatchObject({ ok: true })
  })
})
