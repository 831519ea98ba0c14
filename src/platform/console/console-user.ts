import { createUser } from '../directory/users'
import { accessTokenOf, endSession, startSession } from '../directory/sessions'
import { consoleUserId, internalProjectId } from '../http/authenticate'
import { inProject } from '../model/engine'
import type { OpenEngine } from '../model/engine'
import { internalKeys } from '../model/api-keys'

/** Each open page of the console has a session; only this many are kept, so those of closed pages end. */
const keptSessions = 10

/** The console's sign-in: the tokens of a new session, issued under `origin`, and the key of their project. */
export async function consoleSession(engine: OpenEngine, origin: string) {
  const internal = engine.database.projects.get(internalProjectId)
  if (!internal) throw new Error('this platform has no project "internal", whose users manage the others')
  const own = inProject(engine, internalProjectId)
  const user =
    own.tables.users.get(consoleUserId) ??
    createUser(own, internal, { id: consoleUserId, displayName: 'Local console' })
  const { session, refreshToken } = startSession(own, user)
  const older = own.tables.sessions.by('userId', [consoleUserId]).slice(0, -keptSessions)
  for (const { id } of older) endSession(own, id)
  const { publishableClientKey } = internalKeys
  return { accessToken: await accessTokenOf(own, session, origin), refreshToken, publishableClientKey }
}
