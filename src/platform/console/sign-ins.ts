import * as v from 'valibot'
import { createUser } from '../directory/users'
import { accessTokenOf, endSession, startSession } from '../directory/sessions'
import { consoleUserId, internalProjectId } from '../http/authenticate'
import { requireTrustedUrl } from '../directory/trusted-url'
import { createCode } from '../directory/verification-codes'
import { withCode } from '../mail/mail'
import { inProject, inUnit } from '../model/engine'
import type { OpenEngine, PlatformServices } from '../model/engine'
import { internalKeys } from '../model/api-keys'
import { json, Refused } from './answers'
import type { Routes } from './answers'

/** Each open page of the console has a session; only this many are kept, so those of closed pages end. */
const keptSessions = 10

const signIn = v.strictObject({ projectId: v.string(), userId: v.string(), callbackUrl: v.pipe(v.string(), v.url()) })

/** The console's own sign-in, and links that sign in users of a project. */
export function signInRoutes({ host }: { readonly host: PlatformServices }): Routes {
  return {
    session: {
      POST: async ({ url }) => json(await inUnit(host, engine => consoleSession(engine, url.origin)), 201),
    },
    'sign-in-links': {
      async POST({ body }) {
        const { projectId: whose, userId, callbackUrl } = v.parse(signIn, body)
        const url = await inUnit(host, async open => {
          const engine = inProject(open, whose)
          const project = open.database.projects.get(whose)
          if (!project || !engine.tables.users.get(userId)) throw new Refused(404, 'There is no such user.')
          requireTrustedUrl(engine, callbackUrl, project)
          return withCode(callbackUrl, createCode(engine, 'magic-link', { userId }))
        })
        return json({ url }, 201)
      },
    },
  }
}

/** The console's sign-in: the tokens of a new session, issued under `origin`, and the key of their project. */
async function consoleSession(engine: OpenEngine, origin: string) {
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
