import * as v from 'valibot'
import * as passkeys from '../../sign-in/passkey/authenticator'
import { primaryChannelOf } from '../model/restriction'
import { requireOwnUser } from '../http/authenticate'
import { randomBase64Url, toBase64Url } from '../../core/encoding'
import { code } from '../model/limits'
import { credentialIdOf, verifyAuthentication, verifyRegistration, webauthn } from '../passkeys/verifier'
import { known, plain, type RefusedRequest } from '../model/refusal'
import { requireSecondFactor, consumeCode, createCode } from '../directory/verification-codes'
import { serve } from '../http/serve'
import { signIn } from '../directory/sessions'
import type { Engine } from '../model/engine'

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]
const timeout = 60_000

const anObject = v.record(v.string(), v.unknown())

export const routes = [
  serve(passkeys.startPasskeyRegistration, { requires: ['user'], takesAnyBody: true }, async ({ engine, caller }) => {
    requirePasskeys(engine)
    const user = requireOwnUser(caller)
    // Before the browser creates a passkey that could not be verified.
    await webauthn()
    const name = user.displayName ?? primaryChannelOf(engine.tables, user.id)?.value ?? 'Account'
    const challenge = randomBase64Url()
    const optionsJson = {
      rp: { id: passkeys.relyingPartySentinel, name: caller.project.displayName },
      user: { id: toBase64Url(new TextEncoder().encode(user.id)), name, displayName: name },
      challenge,
      pubKeyCredParams: algorithms.map(alg => ({ alg, type: 'public-key' })),
      timeout,
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
      extensions: { credProps: true },
    }
    const subject = { userId: user.id, challenge }
    return { optionsJson, code: createCode(engine, 'passkey-registration', subject) }
  }),

  serve(
    passkeys.registerPasskeyCredential,
    { body: { credential: anObject, code } },
    async ({ engine, caller, input }) => {
      const { challenge = '', userId } = consumeCode(engine, 'passkey-registration', input.code)
      requirePasskeys(engine)
      const verified = await verifyRegistration(input.credential, challenge, engine)
      const user = caller.user && engine.tables.users.get(caller.user.id)
      if (!user) throw plain(500, 'A passkey was registered without a signed-in user.')
      if (!verified || userId === undefined || user.id !== userId)
        throw known('PASSKEY_REGISTRATION_FAILED', 'The passkey could not be verified.')
      // The row has the user's id, so a new passkey replaces the former one.
      engine.tables.passkeys.put({ id: userId, ...verified })
      return { userHandle: verified.credentialId }
    },
  ),

  serve(passkeys.startPasskeySignIn, { takesAnyBody: true }, ({ engine }) => {
    requirePasskeys(engine)
    const challenge = randomBase64Url()
    const optionsJson = {
      rpId: passkeys.relyingPartySentinel,
      challenge,
      allowCredentials: [],
      timeout,
      userVerification: 'preferred',
    }
    return { optionsJson, code: createCode(engine, 'passkey-authentication', { challenge }) }
  }),

  serve(
    passkeys.passkeySignIn,
    { body: { authenticationResponse: anObject, code } },
    async ({ engine, input, origin }) => {
      const { tables } = engine
      const { challenge = '' } = consumeCode(engine, 'passkey-authentication', input.code)
      requirePasskeys(engine)
      const credentialId = credentialIdOf(input.authenticationResponse)
      const passkey = credentialId === null ? undefined : tables.passkeys.first('credentialId', credentialId)
      if (!passkey) throw failed()
      const counter = await verifyAuthentication(input.authenticationResponse, challenge, engine, passkey)
      const user = tables.users.get(passkey.id)
      if (counter === null || !user || tables.passkeys.get(passkey.id)?.credentialId !== credentialId) throw failed()
      tables.passkeys.patch(passkey.id, { counter })
      requireSecondFactor(engine, user)
      return { ...(await signIn(engine, user, origin)), isNewUser: false }
    },
  ),
]

function requirePasskeys({ settings }: Engine): void {
  if (!settings.passkeyEnabled)
    throw known('PASSKEY_AUTHENTICATION_NOT_ENABLED', 'This project does not have passkeys: switch on passkeyEnabled.')
}

function failed(): RefusedRequest {
  return known(
    'PASSKEY_AUTHENTICATION_FAILED',
    'The passkey is not registered in this project, or its response is not valid.',
  )
}
