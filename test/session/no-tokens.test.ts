import { noTokens } from 'rxauth'
import { ada, world } from '../world'

describe('noTokens', () => {
  it('is signed out, and serves calls without a session', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ tokens: noTokens() })
    expect(await settled(app.user$.get())).toBeNull()
    expect((await settled(app.project$.get())).id).toBeTruthy()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
  })

  it('refuses a sign-in before a request, and names the stores that keep sessions', async () => {
    const { newApp, settled, requests } = await world()
    const app = newApp({ tokens: noTokens() })
    await expect(settled(app.signInWithPassword({ email: ada.email, password: ada.password }))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
      message: expect.stringContaining('memoryTokens()'),
    })
    expect(requests).toEqual([])
  })
})
