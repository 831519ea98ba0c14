import { createServerApp } from 'rxauth/server'
import { ada } from '../world'
import { backend } from './users/users-world'

describe('the limits of a password that a server sets', () => {
  it.each([
    ['short', { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } }],
    ['x'.repeat(71), { code: 'PASSWORD_TOO_LONG', details: { maxLength: 70 } }],
    ['ä'.repeat(36), { code: 'PASSWORD_TOO_LONG' }],
  ])(
    'are checked before a request, since the platform checks no minimum and names no maximum there: %s',
    async (password, error) => {
      const { platform, settled, tokensOf, requests, adaId: userId } = await backend()
      const server = createServerApp({ ...platform.serverOptions, passwordLimits: { min: 8 } })
      const own = server.withTokens(await settled(tokensOf(ada)))
      requests.length = 0
      await expect(settled(server.createUser({ password }))).rejects.toMatchObject(error)
      await expect(settled(server.updateUserById({ userId, password }))).rejects.toMatchObject(error)
      await expect(settled(own.updateOwnUser({ password }))).rejects.toMatchObject(error)
      expect(requests).toEqual([])
    },
  )
})
