import { make } from './user-api-key-world'

describe('the validity of an API key', () => {
  it('is lost by expiry first, then by revocation', async () => {
    const { app, clock } = await make()
    const past = new Date(clock.now())
    const later = new Date(clock.now() + 1)
    expect(app.whyApiKeyInvalid({ expiresAt: past, manuallyRevokedAt: past })).toBe('expired')
    expect(app.whyApiKeyInvalid({ expiresAt: later, manuallyRevokedAt: past })).toBe('manually-revoked')
    expect(app.whyApiKeyInvalid({ expiresAt: later, manuallyRevokedAt: null })).toBeNull()
    expect(app.whyApiKeyInvalid({ expiresAt: null, manuallyRevokedAt: null })).toBeNull()
  })
})
