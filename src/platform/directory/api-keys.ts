import { presentIn } from '../../core/values'
import { randomText } from '../model/random-text'
import type { ApiKeyRow } from '../model/api-keys'
import type { Engine } from '../model/engine'
import { known, plain, refuse, type RefusedRequest } from '../model/refusal'

/** Part of every key, so that secret scanners can recognise it. */
const marker = '574ck4u7h'

/**
 * A new API key: prefix, secret, the key's id, the kind of its owner, a flag, the marker, and a checksum of these. The
 * flag says whether the platform is self-hosted (1) and whether the key is public (2).
 */
export function newApiKeyText({ id, kind, isPublic }: Pick<ApiKeyRow, 'id' | 'kind' | 'isPublic'>): string {
  const flag = 1 + (isPublic ? 2 : 0)
  const text = `${isPublic ? 'pk' : 'sk'}_${randomText()}${id.replaceAll('-', '')}${kind}${flag}${marker}`
  return text + checksum(text).toString(16).padStart(8, '0')
}

/** CRC-32 as zip files have it, of a text in ASCII. */
export function checksum(text: string): number {
  let rest = 0xffffffff
  for (const character of text) {
    rest ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  }
  return (rest ^ 0xffffffff) >>> 0
}

type ApiKeyKind = ApiKeyRow['kind']

/** The fields of a key that every answer has: all but its owner and its value. Unset times are absent. */
export function commonOf({ id, description, isPublic, createdAt, expiresAt, revokedAt }: ApiKeyRow) {
  return {
    id,
    description,
    isPublic,
    createdAt: new Date(createdAt),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt) }),
    ...(revokedAt !== null && { manuallyRevokedAt: new Date(revokedAt) }),
  }
}

export function endOf({ value }: ApiKeyRow) {
  return { lastFour: value.slice(-4) }
}

export function requireApiKeys({ settings }: Engine, kind: ApiKeyKind): void {
  const setting = kind === 'user' ? 'allowUserApiKeys' : 'allowTeamApiKeys'
  if (!settings[setting]) throw plain(400, `This project does not have API keys of ${kind}s: switch on ${setting}.`)
}

/** An owner's keys, newest first. */
export function apiKeysOf({ tables }: Engine, kind: ApiKeyKind, ownerId: string): readonly ApiKeyRow[] {
  return tables.apiKeys.by(kind === 'user' ? 'userId' : 'teamId', [ownerId], { desc: true })
}

export function createApiKey(
  { tables, clock }: Engine,
  owner: Pick<ApiKeyRow, 'kind' | 'ownerId'>,
  asked: { readonly description: string; readonly expiresAt: Date | null; readonly isPublic?: boolean | undefined },
): ApiKeyRow {
  const { description, isPublic = false } = asked
  const id = crypto.randomUUID()
  return tables.apiKeys.put({
    id,
    ...owner,
    value: newApiKeyText({ id, kind: owner.kind, isPublic }),
    description,
    isPublic,
    createdAt: clock.now(),
    expiresAt: asked.expiresAt?.getTime() ?? null,
    revokedAt: null,
  })
}

/** Changes the given fields. Revoking a key again keeps the time of the first revocation. */
export function changeApiKey(
  { tables, clock }: Engine,
  key: ApiKeyRow,
  { description, revoked }: { readonly description?: string | undefined; readonly revoked?: true | undefined },
): ApiKeyRow {
  const revokedAt = revoked && (key.revokedAt ?? clock.now())
  return tables.apiKeys.patch(key.id, presentIn({ description, revokedAt }))
}

/** Returns the key if it may be used. Throws the reason otherwise, in the hosted platform's order of checks. */
export function checkApiKey({ tables, clock }: Engine, kind: ApiKeyKind, value: string): ApiKeyRow {
  const key = tables.apiKeys.first('value', value) ?? refuse(noSuchKey())
  if (key.kind !== kind)
    throw known('WRONG_API_KEY_TYPE', `This is the API key of a ${key.kind}, not of a ${kind}.`, {
      expectedType: kind,
      actualType: key.kind,
    })
  if (key.revokedAt !== null) throw known('API_KEY_REVOKED', 'This API key has been revoked.')
  if (hasExpired(key, clock.now())) throw known('API_KEY_EXPIRED', 'This API key has expired.')
  return key
}

export function hasExpired({ expiresAt }: ApiKeyRow, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

export function noSuchKey(): RefusedRequest {
  return known('API_KEY_NOT_FOUND', 'There is no such API key.')
}
