import * as v from 'valibot'
import { presentIn } from '../../core/values'
import { items } from '../../core/wire'
import * as admin from '../../entities/internal-api-keys/admin'
import { uuid } from '../model/limits'
import { randomText } from '../model/random-text'
import { known, refuse } from '../model/refusal'
import { serve, sparse } from '../http/serve'
import type { Engine } from '../model/engine'
import type { KeySetRow } from '../model/api-keys'

// Fields that the kit reads as null are absent on the wire.
const KeySet = sparse(admin.InternalApiKey)
const NewKeySet = sparse(admin.NewInternalApiKey)

/** Required on the wire; the kit sends false for those left out. */
const wanted = {
  hasPublishableClientKey: v.boolean(),
  hasSecretServerKey: v.boolean(),
  hasSuperSecretAdminKey: v.boolean(),
}
const changes = { description: v.optional(v.string()), revoked: v.optional(v.literal(true)) }
const path = { apiKeyId: uuid }

export const routes = [
  serve(admin.internalApiKeys$, { answers: items(KeySet) }, ({ engine: { tables } }) =>
    tables.keySets.page('createdAt', { desc: true }).rows.map(toKeySet),
  ),

  serve(admin.createInternalApiKey, { body: wanted, answers: NewKeySet }, ({ engine: { tables, clock }, input }) => {
    const newKey = (isWanted: boolean, kind: string) => (isWanted ? `${kind}_${randomText()}` : null)
    const row = tables.keySets.put({
      ...{ id: crypto.randomUUID(), description: input.description, createdAt: clock.now() },
      ...{ expiresAt: input.expiresAt.getTime(), revokedAt: null },
      publishableClientKey: newKey(input.hasPublishableClientKey, 'pck'),
      secretServerKey: newKey(input.hasSecretServerKey, 'ssk'),
      superSecretAdminKey: newKey(input.hasSuperSecretAdminKey, 'sak'),
    })
    return shownWith(row, key => key)
  }),

  serve(admin.internalApiKey$, { path, answers: KeySet }, ({ engine, input }) =>
    toKeySet(keySetOf(engine, input.apiKeyId)),
  ),

  serve(admin.updateInternalApiKey, { path, body: changes, answers: KeySet }, ({ engine, input }) => {
    const { description, revoked } = input
    const { id } = keySetOf(engine, input.apiKeyId)
    const revokedAt = revoked && engine.clock.now()
    return toKeySet(engine.tables.keySets.patch(id, presentIn({ description, revokedAt })))
  }),
]

function keySetOf({ tables }: Engine, id: string): KeySetRow {
  return tables.keySets.get(id) ?? refuse(known('API_KEY_NOT_FOUND', 'There is no key set with this id.'))
}

function toKeySet(row: KeySetRow) {
  return shownWith(row, key => ({ lastFour: key.slice(-4) }))
}

/** The set with each key as `show` gives it. Keys that were not requested are absent. */
function shownWith<T>(row: KeySetRow, show: (key: string) => T) {
  const { id, description, revokedAt, publishableClientKey: client, secretServerKey: server } = row
  const { superSecretAdminKey: admin } = row
  return {
    ...{ id, description, expiresAt: new Date(row.expiresAt), createdAt: new Date(row.createdAt) },
    ...(revokedAt !== null && { manuallyRevokedAt: new Date(revokedAt) }),
    ...(client !== null && { publishableClientKey: show(client) }),
    ...(server !== null && { secretServerKey: show(server) }),
    ...(admin !== null && { superSecretAdminKey: show(admin) }),
  }
}
