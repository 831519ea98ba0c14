import * as v from 'valibot'
import { hasExpired, noSuchKey } from '../directory/api-keys'
import { inProject } from '../model/engine'
import type { Engine, OpenEngine } from '../model/engine'
import { sendHtml } from '../mail/html-mail'
import type { ApiKeyRow } from '../model/owned-tables'
import { escapeHtml } from '../http/html'
import { hasTeamPermission } from '../directory/permissions'
import { platformOnly } from '../http/platform-only'
import { primaryChannelOf } from '../model/primary-channel'
import { known } from '../model/refusal'
import { servePublic } from '../http/serve'

const revokeFound = platformOnly('POST /integrations/credential-scanning/revoke', {
  access: 'client',
  body: { apiKey: v.string() },
})

/** A scanner that finds a key in a public place revokes it. The request needs nothing but the key. */
export const credentialScanningRoutes = [
  servePublic(revokeFound, {}, ({ engine: open, input }) => {
    const { engine, project, key } = findKey(open, input.apiKey)
    const now = engine.clock.now()
    if (key.isPublic)
      throw known(
        'PUBLIC_API_KEY_CANNOT_BE_REVOKED',
        'A public API key may be found in public places, so it is not revoked.',
      )
    if (hasExpired(key, now)) throw known('API_KEY_EXPIRED', 'This API key has expired.')
    if (key.revokedAt !== null) return
    engine.tables.apiKeys.patch(key.id, { revokedAt: now })
    for (const to of addressesFor(engine, key)) sendHtml(engine, project, { to, ...letterOn(engine, key) })
  }),
]

function findKey(open: OpenEngine, value: string) {
  for (const project of open.database.projects.rows()) {
    const engine = inProject(open, project.id)
    const key = engine.tables.apiKeys.first('value', value)
    if (key) return { engine, project, key }
  }
  throw noSuchKey()
}

/** The owner's address, or those of the team members that may manage its keys. */
function addressesFor({ tables }: Engine, { kind, ownerId }: ApiKeyRow): string[] {
  const managers = () =>
    tables.memberships
      .by('teamId', ownerId)
      .map(({ userId }) => userId)
      .filter(userId => hasTeamPermission(tables, { teamId: ownerId, userId, permissionId: '$manage_api_keys' }))
  const userIds = kind === 'user' ? [ownerId] : managers()
  return userIds.flatMap(userId => primaryChannelOf(tables, userId)?.value ?? [])
}

/** The mail does not contain the key, to keep it out of one more place. */
function letterOn({ tables }: Engine, { kind, ownerId, description }: ApiKeyRow) {
  const owner = kind === 'team' ? ` of the team “${tables.teams.get(ownerId)?.displayName ?? ''}”` : ''
  return {
    subject: 'An API key was found in public and revoked',
    html: `<p>${escapeHtml(`The API key “${description}”${owner} was found in a public place. It has been revoked: replace it where it is used.`)}</p>`,
  }
}
