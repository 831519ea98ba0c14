import type { Row } from '../data/table'

/** Keys that were not requested are null. */
export interface KeySetRow extends Row {
  readonly description: string
  readonly createdAt: number
  readonly publishableClientKey: string | null
  readonly secretServerKey: string | null
  readonly superSecretAdminKey: string | null
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/** Public half of a signing key, as in a JSON Web Key Set. */
export interface PublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly alg: 'ES256'
  readonly kid: string
  readonly x: string
  readonly y: string
}

/** The signing key of a project's access tokens; its id is the project's. */
export interface SigningKeyRow extends Row {
  readonly publicKey: PublicKey
  readonly privateKey: PublicKey & { readonly d: string }
}
