import { ownedProjects$ } from './client-owned'
import { narrowed } from '../../store/definition'
import { coreOf, slot } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { nonce } from '../../core/encoding'
import type { Fetch } from '../../core/web-types'
import { AuthError } from '../../errors/auth-error'
import { isErrorCode, isInFamily } from '../../errors/codes'
import { readAccessToken } from '../../transport/access-token'

const ownerSlot = {}

/** The owner's kit, whose session gives this kit its admin rights; null with keys. */
function ownerOf(kit: Kit<never>): { kit: Kit | null } {
  return slot(kit, ownerSlot, () => ({ kit: null }))
}

/** `kit` acts with the rights of the user signed in to `owner` from now on. */
export function actFor(kit: Kit<never>, owner: Kit): void {
  ownerOf(kit).kit = owner
}

/** Refreshes the owner's list of projects after a change by this kit; nothing without an owner. */
export async function refreshOwnersProjects(kit: Kit): Promise<void> {
  const { kit: owner } = ownerOf(kit)
  if (!owner) return
  const { cells } = coreOf(owner)
  const answered = cells.tick()
  await Promise.all(cells.matching(narrowed(ownedProjects$)).flatMap(cell => cell.invalidate(answered) ?? []))
}

/** The header of the token, which replaces all keys. */
const header = 'x-stack-admin-access-token'

/**
 * Sends requests with the access token of the user signed in to `owner`. If the platform refuses the token, it is discarded,
 * and the request is sent once more with a new one.
 *
 * The requests belong to the user of the first token: for another user nothing is sent, and `onChange` is called, which ends
 * the sender.
 */
export function ownerFetch(owner: Kit, onChange: () => void): Fetch {
  const { session, transport } = coreOf(owner)
  let userId: string | undefined
  const tokenFor = async (signal: AbortSignal | null | undefined) => {
    const token = (await session.current(undefined, signal ?? undefined))?.accessToken
    if (!token)
      throw (
        session.identity.refusal ??
        new AuthError('USER_AUTHENTICATION_REQUIRED', 'the project owner of this admin app is signed out')
      )
    const present = readAccessToken(token)?.userId
    userId ??= present
    if (present === userId) return token
    onChange()
    throw new AuthError(
      'SESSION_CHANGED',
      'another user than the project owner of this admin app is signed in; create a new admin app',
    )
  }
  const send: Fetch = async (input, init) => {
    const token = await tokenFor(init?.signal)
    // In the headers of the attempt, whose values appear in no message.
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    headers.set(header, token)
    return transport.fetch(input, { ...init, headers })
  }
  return async (input, init) => {
    const response = await send(input, init)
    const code = response.headers.get('x-stack-known-error')
    if (code === null || !isErrorCode(code)) return response
    // The platform also answers this for a key set, which a session does not involve.
    if (!isInFamily(code, 'INVALID_ADMIN_ACCESS_TOKEN') && code !== 'API_KEY_NOT_FOUND') return response
    const headers = init?.headers instanceof Headers ? init.headers : new Headers(init?.headers)
    const sent = headers.get(header)
    if (sent) transport.credentials.refused(sent)
    // A different request to caches.
    headers.set('x-stack-random-nonce', nonce())
    return send(input, { ...init, headers })
  }
}
