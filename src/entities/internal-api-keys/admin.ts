import * as v from 'valibot'
import { adminStore, adminWrite, items, millis, patch, withFields, type Shape } from '../declare'
import { both, replaceBoth } from '../rows'
import { lastFour, revoking } from '../api-keys/shape'

const fields = {
  id: v.string(),
  description: v.string(),
  expiresAt: millis(),
  manuallyRevokedAt: v.optional(v.nullable(millis()), null),
  createdAt: millis(),
}
const end = () => v.optional(v.nullable(lastFour), null)
const whole = () => v.optional(v.nullable(v.string()), null)

const internalApiKey = v.object(
  withFields(fields, { publishableClientKey: end(), secretServerKey: end(), superSecretAdminKey: end() }),
)
const newInternalApiKey = v.object(
  withFields(fields, { publishableClientKey: whole(), secretServerKey: whole(), superSecretAdminKey: whole() }),
)

/** A set of up to three keys of the project itself, each with its last four characters; null: the set has no such key. */
export interface InternalApiKey extends v.InferOutput<typeof internalApiKey> {}
export const InternalApiKey: Shape<InternalApiKey> = internalApiKey

/** A set that has just been created, with the keys themselves, which no other answer and no store contains. */
export interface NewInternalApiKey extends v.InferOutput<typeof newInternalApiKey> {}
export const NewInternalApiKey: Shape<NewInternalApiKey> = newInternalApiKey

/**
 * The project's own key sets, newest first, including expired and revoked ones.
 *
 * @example
 * const sets = await admin.internalApiKeys$.get()
 */
export const internalApiKeys$ = adminStore('GET /internal/api-keys', { returns: items(InternalApiKey) })

/**
 * One key set; null if there is none with this id.
 *
 * @example
 * const set = await admin.internalApiKey$({ apiKeyId: 'set-1' }).get()
 */
export const internalApiKey$ = adminStore('GET /internal/api-keys/{apiKeyId}', {
  returns: InternalApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  absent: ['API_KEY_NOT_FOUND'],
})

const sets = [internalApiKeys$, internalApiKey$] as const

/**
 * Creates a set of the requested keys. They are in the answer: show them now, since they cannot be read again.
 *
 * @example
 * const { secretServerKey } = await admin.createInternalApiKey({
 *   description: 'production',
 *   expiresAt: new Date('2030-01-01'),
 *   hasSecretServerKey: true,
 * })
 */
export const createInternalApiKey = adminWrite('POST /internal/api-keys', {
  body: {
    description: v.string(),
    expiresAt: millis(),
    hasPublishableClientKey: v.optional(v.boolean(), false),
    hasSecretServerKey: v.optional(v.boolean(), false),
    hasSuperSecretAdminKey: v.optional(v.boolean(), false),
  },
  returns: NewInternalApiKey,
  refreshes: () => [internalApiKeys$],
  writes: (_, keys) => [patch(internalApiKeys$, {}, all => [withoutKeys(keys), ...all])],
})

/** A set of keys. */
export interface InternalApiKeyId {
  readonly apiKeyId: string
}

const showing = ({ apiKeyId }: InternalApiKeyId) => both(sets, {}, { apiKeyId })

const answered = ({ apiKeyId }: InternalApiKeyId, keys: InternalApiKey) => replaceBoth(sets, {}, { apiKeyId }, keys)

/**
 * Changes the description of a key set.
 *
 * @example
 * await admin.updateInternalApiKey({ apiKeyId: 'set-1', description: 'staging' })
 */
export const updateInternalApiKey = adminWrite('PATCH /internal/api-keys/{apiKeyId}', {
  body: { description: v.string() },
  returns: InternalApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  refreshes: showing,
  writes: answered,
})

/**
 * Revokes the keys of a set permanently; for a revoked set it returns the time of its revocation.
 *
 * @example
 * await admin.revokeInternalApiKey({ apiKeyId: 'set-1' })
 */
export const revokeInternalApiKey = adminWrite('PATCH /internal/api-keys/{apiKeyId}', {
  body: { revoked: v.literal(true) },
  returns: InternalApiKey,
  fails: ['API_KEY_NOT_FOUND'],
  prepare: revoking<InternalApiKeyId>,
  refreshes: showing,
  writes: answered,
})

function withoutKeys(keys: NewInternalApiKey): InternalApiKey {
  const endOf = (key: string | null) => key && { lastFour: key.slice(-4) }
  return {
    ...keys,
    publishableClientKey: endOf(keys.publishableClientKey),
    secretServerKey: endOf(keys.secretServerKey),
    superSecretAdminKey: endOf(keys.superSecretAdminKey),
  } as InternalApiKey
}
