import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import type { RegistrationResponseJSON, AuthenticationResponseJSON } from '@simplewebauthn/server'
import { SoftwareAuthenticator } from '../../../src/platform/passkeys/authenticator'

const origin = 'https://app.example.com'
const challenge = 'Y2hhbGxlbmdl'
const creation = { rp: { id: 'example.com', name: 'x' }, user: { id: 'YQ', name: 'a', displayName: 'a' }, challenge }
const site = { expectedOrigin: origin, expectedRPID: 'example.com', expectedChallenge: challenge }

describe('a software passkey', () => {
  it('is accepted by a standard verifier, with a counter that increases', async () => {
    const device = new SoftwareAuthenticator()
    const made = (await device.create(creation, { origin })) as RegistrationResponseJSON
    const { verified, registrationInfo } = await verifyRegistrationResponse({ response: made, ...site })
    expect(verified).toBe(true)
    const credential = registrationInfo!.credential
    // Signatures have several lengths: each has to be well-formed.
    for (let count = 0; count < 20; count++) {
      const response = (await device.get({ rpId: 'example.com', challenge }, { origin })) as AuthenticationResponseJSON
      const signed = await verifyAuthenticationResponse({ response, ...site, credential })
      expect(signed.verified).toBe(true)
      expect(signed.authenticationInfo.newCounter).toBeGreaterThan(credential.counter)
      credential.counter = signed.authenticationInfo.newCounter
      expect(response.response.userHandle).toBe('YQ')
    }
  })

  it.each([
    [true, true],
    [false, false],
  ])('says whether it verifies its user: %s', async (verifiesUser, userVerified) => {
    const device = new SoftwareAuthenticator(undefined, { verifiesUser })
    const lenient = { ...site, requireUserVerification: false }
    const made = (await device.create(creation, { origin })) as RegistrationResponseJSON
    const { registrationInfo } = await verifyRegistrationResponse({ response: made, ...lenient })
    expect(registrationInfo).toMatchObject({ userVerified })
    const response = (await device.get({ rpId: 'example.com', challenge }, { origin })) as AuthenticationResponseJSON
    const { credential } = registrationInfo!
    const { authenticationInfo } = await verifyAuthenticationResponse({ response, ...lenient, credential })
    expect(authenticationInfo).toMatchObject({ userVerified })
  })

  it('that cannot verify its user refuses a site that requires it', async () => {
    const device = new SoftwareAuthenticator(undefined, { verifiesUser: false })
    const required = { userVerification: 'required' }
    await expect(device.create({ ...creation, authenticatorSelection: required }, { origin })).rejects.toMatchObject({
      name: 'NotAllowedError',
    })
    await device.create({ ...creation, authenticatorSelection: { userVerification: 'preferred' } }, { origin })
    const asked = { rpId: 'example.com', challenge }
    await expect(device.get({ ...asked, ...required }, { origin })).rejects.toMatchObject({ name: 'NotAllowedError' })
    await device.get(asked, { origin })
  })

  it.each([
    ['another site', 'example.org', origin],
    ['the end of a name that is not a domain above it', 'ample.com', origin],
    ['a page that is not secure', 'example.com', 'http://app.example.com'],
  ])('is refused to %s', async (_, rpId, at) => {
    const device = new SoftwareAuthenticator()
    await expect(device.create({ ...creation, rp: { id: rpId } }, { origin: at })).rejects.toMatchObject({
      name: 'SecurityError',
    })
    await expect(device.get({ rpId, challenge }, { origin: at })).rejects.toMatchObject({ name: 'SecurityError' })
  })

  it('exists on its device only, for its site only', async () => {
    const device = new SoftwareAuthenticator()
    const { id } = await device.create(creation, { origin })
    const missing = { name: 'NotAllowedError' }
    await expect(new SoftwareAuthenticator().get({ rpId: 'example.com', challenge }, { origin })).rejects.toMatchObject(
      missing,
    )
    await expect(device.get({ rpId: 'app.example.com', challenge }, { origin })).rejects.toMatchObject(missing)
    const other = { rpId: 'example.com', challenge, allowCredentials: [{ id: 'b3RoZXI' }] }
    await expect(device.get(other, { origin })).rejects.toMatchObject(missing)
    expect((await device.get({ ...other, allowCredentials: [{ id }] }, { origin })).id).toBe(id)
  })

  it('is created once if the site excludes existing ones', async () => {
    const device = new SoftwareAuthenticator()
    const { id } = await device.create(creation, { origin })
    await expect(device.create({ ...creation, excludeCredentials: [{ id }] }, { origin })).rejects.toMatchObject({
      name: 'InvalidStateError',
    })
  })

  it.each([0, 65])('is not created for a user id of %i bytes', async length => {
    const id = btoa('a'.repeat(length))
    await expect(new SoftwareAuthenticator().create({ ...creation, user: { id } }, { origin })).rejects.toThrow(
      TypeError,
    )
  })
})
