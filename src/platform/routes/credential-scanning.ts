import * as v from 'valibot'
import { hasExpired, noSuchKey } from '../api-keys'
import type { OpenEngine } from '../engine'
import { platformOnly } from '../platform-only'
import { known } from '../refusal'
import { servePublic } from '../serve'

const revokeFound = platformOnly('POST /integrations/credential-scanning/revoke', {
  access: 'client',
  body: { apiKey: v.string() },
})

/** Who finds a key in a public place revokes it: nothing but the key is needed. */
export const credentialScanningRoutes = [
  servePublic(revokeFound, {}, ({ engine, input }) => {
    const { tables, key } = findKey(engine, input.apiKey)
    if (key.isPublic) throw known('PUBLIC_API_KEY_CANNOT_BE_REVOKED', 'A public API key may be seen by everybody.')
    if (hasExpired(key, engine.clock.now())) throw known('API_KEY_EXPIRED', 'This API key has expired.')
    if (key.revokedAt === null) tables.apiKeys.patch(key.id, { revokedAt: engine.clock.now() })
  }),
]

function findKey({ database }: OpenEngine, value: string) {
  for (const { id } of database.projects.rows()) {
    const tables = database.of(id)
    const key = tables.apiKeys.first('value', value)
    if (key) return { tables, key }
  }
  throw noSuchKey()
}
