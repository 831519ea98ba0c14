import { createUser } from '../accounts'
import { accessTokenOf } from '../access-claims'
import { consoleUserId, internalProjectId } from '../authenticate'
import { inProject } from '../engine'
import type { OpenEngine } from '../engine'
import type { TokenPair } from '../platform'
import { endSession, startSession } from '../sessions'

/** A page of the console has one each; those of pages that were closed long ago are ended. */
const keptSessions = 10

/** The tokens of a new session of the console; access tokens are issued under `origin`. */
export async function consoleTokens(engine: OpenEngine, origin: string): Promise<TokenPair> {
  const internal = engine.database.projects.get(internalProjectId)
  if (!internal) throw new Error('this platform has no project "internal", whose users manage the others')
  const own = inProject(engine, internalProjectId)
  const user =
    own.tables.users.get(consoleUserId) ??
    createUser(own, internal, { id: consoleUserId, displayName: 'Local console' })
  const { session, refreshToken } = startSession(own, user)
  const older = own.tables.sessions.by('userId', [consoleUserId]).slice(0, -keptSessions)
  for (const { id } of older) endSession(own, id)
  return { accessToken: await accessTokenOf(own, session, origin), refreshToken }
}
