import * as v from 'valibot'
import { createUser } from '../directory/users'
import { accessTokenOf, endSession, startSession } from '../directory/sessions'
import { consoleUserId, internalProjectId } from '../http/authenticate'
import { requireTrustedUrl } from '../directory/trusted-url'
import { createCode } from '../directory/verification-codes'
import { withCode } from '../mail/mail'
import { inProject, inUnit, type OpenEngine, type PlatformServices } from '../model/engine'
import { internalKeys } from '../model/api-keys'
import { plain } from '../model/refusal'
import { json, refused, type Routes } from './answers'
import { isRecord } from '../../core/values'
import { patternOf, type Address } from '../http/router'
import type { FaultPlan } from '../test-tools/faults'

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
          if (!open.database.projects.get(whose) || !engine.tables.users.get(userId))
            throw plain(404, 'There is no such user.')
          requireTrustedUrl(engine, callbackUrl)
          return withCode(callbackUrl, createCode(engine, 'magic-link', { userId }))
        })
        return json({ url }, 201)
      },
    },
  }
}

/** The console's sign-in: the tokens of a new session, issued under `origin`, and the key of their project. */
async function consoleSession(engine: OpenEngine, origin: string) {
  if (!engine.database.projects.get(internalProjectId))
    throw new Error('this platform has no project "internal", whose users manage the others')
  const own = inProject(engine, internalProjectId)
  const user =
    own.tables.users.get(consoleUserId) ?? createUser(own, { id: consoleUserId, displayName: 'Local console' })
  const { session, refreshToken } = startSession(own, user)
  const older = own.tables.sessions.by('userId', [consoleUserId]).slice(0, -keptSessions)
  for (const { id } of older) endSession(own, id)
  const { publishableClientKey } = internalKeys
  return { accessToken: await accessTokenOf(own, session, origin), refreshToken, publishableClientKey }
}

const fault = v.strictObject({
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599))),
  delayMillis: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(600_000))),
  retryAfter: v.optional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,100}$/))),
  loseResponse: v.optional(v.boolean()),
  body: v.optional(v.picklist(['truncated', 'garbage', 'wrong-code'])),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
})
const plannedFault = v.strictObject({ route: v.string(), fault })
const mailFault = v.strictObject({ mail: v.literal('refused') })

/** The planned faults, and the routes that they can be planned for. */
export function faultRoutes({ plan, addresses }: { plan: FaultPlan; addresses: readonly Address[] }): Routes {
  return {
    routes: {
      GET: () => json({ items: [...new Set(addresses.map(patternOf))].sort() }),
    },
    faults: {
      GET: () => json({ items: plan.list() }),
      POST({ body }) {
        planFault(plan, body)
        return json({ items: plan.list() }, 201)
      },
      DELETE() {
        plan.clear()
        return json({ items: [] })
      },
    },
    'faults/': {
      DELETE: ({ id }) =>
        plan.remove(Number(id)) ? json({ items: plan.list() }) : refused(404, `There is no fault ${id ?? ''}.`),
    },
  }
}

function planFault(plan: FaultPlan, body: unknown): void {
  if (isRecord(body) && 'mail' in body) {
    plan.mail(v.parse(mailFault, body).mail)
    return
  }
  const { route, fault: given } = v.parse(plannedFault, body)
  // The schema has left out fields that were not given.
  const planned = given as Parameters<FaultPlan['next']>[1]
  try {
    if (planned.times === undefined) plan.every(route, planned)
    else plan.next(route, planned)
  } catch (error) {
    throw plain(400, error instanceof Error ? error.message : String(error))
  }
}
