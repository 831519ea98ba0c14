import * as v from 'valibot'
import { fromBase64Url, toBase64Url } from '../../core/encoding'
import { orUndefined } from '../../core/values'
import type { Engine } from '../model/engine'
import { known, plain, type RefusedRequest } from '../model/refusal'
import type { PasskeyRow } from '../model/users'

const Response = v.object({
  id: v.string(),
  rawId: v.string(),
  type: v.literal('public-key'),
  response: v.looseObject({ clientDataJSON: v.string() }),
})
const ClientData = v.object({ origin: v.string() })

/**
 * The new credential; null if its response is not valid for this challenge. A response that no authenticator would give
 * is refused with status 500, as on the hosted platform.
 */
export async function verifyRegistration(
  credential: unknown,
  challenge: string,
  { rules, silentPasskeys, settings }: Engine,
): Promise<Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports'> | null> {
  const site = siteOf(
    credential,
    settings,
    rules.failsForeignPasskeys ? 'PASSKEY_REGISTRATION_FAILED' : 'PASSKEY_AUTHENTICATION_FAILED',
  )
  if (!site) throw unreadable()
  const { verifyRegistrationResponse } = await webauthn()
  // Checking a chain of certificates would need the network, and none was requested.
  if (await hasCertificates(credential)) return null
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The package checks the form itself.
      response: credential as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      ...site,
      requireUserPresence: !silentPasskeys,
      requireUserVerification: false,
    })
    if (!verified || !registrationInfo) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { credentialId: id, publicKey: toBase64Url(publicKey), counter, transports }
  } catch {
    return null
  }
}

/** The passkey's new counter; null if the signature is not from this passkey. */
export async function verifyAuthentication(
  response: unknown,
  challenge: string,
  { settings }: Engine,
  { credentialId, publicKey, counter }: PasskeyRow,
): Promise<number | null> {
  const site = siteOf(response, settings)
  if (!site) return null
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      ...site,
      credential: { id: credentialId, publicKey: fromBase64Url(publicKey), counter },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

/** The id of the credential in a response; null if it has none. */
export function credentialIdOf(response: unknown): string | null {
  return v.is(Response, response) ? response.id : null
}

/** Null if the response has no readable origin. Throws if the project does not trust the origin. */
function siteOf(
  response: unknown,
  { allowLocalhost, domains }: Engine['settings'],
  untrusted: 'PASSKEY_REGISTRATION_FAILED' | 'PASSKEY_AUTHENTICATION_FAILED' = 'PASSKEY_AUTHENTICATION_FAILED',
): { readonly expectedOrigin: string; readonly expectedRPID: string } | null {
  const origin = originOf(response)
  if (origin === null) return null
  const { hostname, origin: normalized } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isTrusted = isLocal ? allowLocalhost : domains.some(({ domain }) => domain === normalized)
  if (isTrusted) return { expectedOrigin: origin, expectedRPID: hostname }
  throw known(
    untrusted,
    "Passkeys do not work on this origin: it is not one of the project's domains, or localhost is not allowed.",
  )
}

function originOf(response: unknown): string | null {
  if (!v.is(Response, response)) return null
  const data = orUndefined(
    () => JSON.parse(new TextDecoder().decode(fromBase64Url(response.response.clientDataJSON))) as unknown,
  )
  return v.is(ClientData, data) && URL.canParse(data.origin) ? data.origin : null
}

async function hasCertificates(credential: unknown): Promise<boolean> {
  const Attested = v.object({ response: v.object({ attestationObject: v.string() }) })
  try {
    // In a `try`, as in `webauthn`: bundlers refuse a package that is missing elsewhere.
    const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
    const { attestationObject } = v.parse(Attested, credential).response
    return decodeAttestationObject(fromBase64Url(attestationObject)).get('attStmt').size > 0
  } catch {
    throw unreadable()
  }
}

function unreadable(): RefusedRequest {
  return plain(500, 'The credential of this registration is not the response of an authenticator.')
}

/** Loads the optional peer at the first use of a passkey. Throws 501 if it is not installed. */
export async function webauthn() {
  try {
    return await import('@simplewebauthn/server')
  } catch {
    throw plain(
      501,
      'Passkeys on the local platform need another package: npm install --save-dev @simplewebauthn/server, then start it again.',
    )
  }
}
