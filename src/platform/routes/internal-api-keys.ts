import * as v from 'valibot'
import { items } from '../../core/wire'
import {
  createInternalApiKey,
  InternalApiKey,
  internalApiKey$,
  internalApiKeys$,
  NewInternalApiKey,
  updateInternalApiKey,
} from '../../entities/internal-api-keys/admin'
import { uuid } from '../model/limits'
import { randomText } from '../model/random-text'
import { known } from '../model/refusal'
import { serve, sparse } from '../http/serve'
import type { Engine } from '../model/engine'
import type { KeySetRow } from '../model/api-keys'

// Fields that the kit reads as null are absent on the wire.
const KeySet = sparse(InternalApiKey)
const NewKeySet = sparse(NewInternalApiKey)

/** Required on the wire; the kit sends false for those left out. */
const wanted = {
  hasPublishableClientKey: v.boolean(),
  hasSecretServerKey: v.boolean(),
  hasSuperSecretAdminKey: v.boolean(),
}
const changes = { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) }
const path = { apiKeyId: uuid }

export const routes = [
  serve(internalApiKeys$, { answers: items(KeySet) }, ({ engine: { tables } }) =>
    tables.keySets.page('createdAt', { desc: true }).rows.map(toKeySet),
  ),

  serve(createInternalApiKey, { body: wanted, answers: NewKeySet }, ({ engine: { tables, clock }, input }) => {
    const row = tables.keySets.put({
      id: crypto.randomUUID(),
      description: input.description,
      createdAt: clock.now(),
      expiresAt: input.expiresAt.getTime(),
      revokedAt: null,
      publishableClientKey: input.hasPublishableClientKey ? `pck_${randomText()}` : null,
      secretServerKey: input.hasSecretServerKey ? `ssk_${randomText()}` : null,
      superSecretAdminKey: input.hasSuperSecretAdminKey ? `sak_${randomText()}` : null,
    })
    return { ...commonOf(row), ...keysOf(row, key => key) }
  }),

  serve(internalApiKey$, { path, answers: KeySet }, ({ engine, input }) => toKeySet(keySetOf(engine, input.apiKeyId))),

  serve(updateInternalApiKey, { path, body: changes, answers: KeySet }, ({ engine, input }) => {
    const { id } = keySetOf(engine, input.apiKeyId)
    const changed = engine.tables.keySets.patch(id, {
      ...(input.description !== undefined && { description: input.description }),
      ...(input.revoked && { revokedAt: engine.clock.now() }),
    })
    return toKeySet(changed)
  }),
]

function keySetOf({ tables }: Engine, id: string): KeySetRow {
  const row = tables.keySets.get(id)
  if (row) return row
  throw known('API_KEY_NOT_FOUND', 'There is no key set with this id.')
}

function toKeySet(row: KeySetRow) {
  return { ...commonOf(row), ...keysOf(row, key => ({ lastFour: key.slice(-4) })) }
}

function commonOf({ id, description, expiresAt, revokedAt, createdAt }: KeySetRow) {
  return {
    id,
    description,
    expiresAt: new Date(expiresAt),
    createdAt: new Date(createdAt),
    ...(revokedAt !== null && { manuallyRevokedAt: new Date(revokedAt) }),
  }
}

/** Keys that were not requested are absent. */
function keysOf<T>(
  { publishableClientKey, secretServerKey, superSecretAdminKey }: KeySetRow,
  show: (key: string) => T,
) {
  return {
    ...(publishableClientKey !== null && { publishableClientKey: show(publishableClientKey) }),
    ...(secretServerKey !== null && { secretServerKey: show(secretServerKey) }),
    ...(superSecretAdminKey !== null && { superSecretAdminKey: show(superSecretAdminKey) }),
  }
}
