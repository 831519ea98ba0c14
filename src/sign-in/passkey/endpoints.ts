import * as v from 'valibot'
import { json } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { codeErrors } from '../../entities/mailed-code'
import { NewSignInAnswer } from '../sign-in-answers'

/** A challenge, and the code for its answer. The options are standard WebAuthn JSON. */
const Ceremony = v.object({ optionsJson: json<Readonly<Record<string, unknown>>>(), code: v.string() })

/** The placeholder in the options for the relying party, which only the page knows. */
export const relyingPartySentinel = 'THIS_VALUE_WILL_BE_REPLACED.example.com'

export const startPasskeyRegistration = endpoint('POST /auth/passkey/initiate-passkey-registration', {
  access: 'client',
  returns: Ceremony,
})

/** Replaces the user's passkey, if there is one. */
export const registerPasskeyCredential = endpoint('POST /auth/passkey/register', {
  access: 'client',
  body: { credential: json<object>(), code: v.string() },
  returns: v.object({ userHandle: v.string() }),
  fails: [...codeErrors, 'PASSKEY_REGISTRATION_FAILED', 'PASSKEY_AUTHENTICATION_FAILED'],
})

export const startPasskeySignIn = endpoint('POST /auth/passkey/initiate-passkey-authentication', {
  access: 'client',
  returns: Ceremony,
  ownedBy: 'app',
})

export const passkeySignIn = endpoint('POST /auth/passkey/sign-in', {
  access: 'client',
  body: { authenticationResponse: json<object>(), code: v.string() },
  returns: NewSignInAnswer,
  fails: [...codeErrors, 'PASSKEY_AUTHENTICATION_FAILED', 'MULTI_FACTOR_AUTHENTICATION_REQUIRED'],
  ownedBy: 'app',
})
