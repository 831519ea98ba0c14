import { isRecord } from '../../core/values'
import { toWire } from '../../core/wire'
import type { Access } from '../../transport/endpoint'
import { accessLevels, authenticate, requireOwnUser, type Caller } from './authenticate'
import { mainBranch } from '../model/access-tokens'
import { readBody, checkFields, knownIn, mismatchOf, refuseNul, toWireNames, type Fields } from './request-checks'
import { inProject, inUnit, type PlatformServices, type OpenEngine } from '../model/engine'
import { locationIn, jsonType, platformReply, refusalReply, textType, type Reply } from './reply'
import { known, RefusedRequest, schemaError } from '../model/refusal'
import { allowedAccess, levelFor, type Address } from './router'
import { Answered, Awaited, type ServedRoute } from './serve'
import type { WireRules } from '../model/release'

/** Handles a request of a known address: caller, access level, fields, then the endpoint. Rejects only when aborted. */
export async function perform(
  host: PlatformServices,
  address: Address,
  params: Readonly<Record<string, string>>,
  request: Request,
): Promise<Reply> {
  const isRead = /^(GET|HEAD)$/.test(request.method)
  const body = isRead ? Promise.resolve() : readBody(request, bytes => host.noteBody?.(request, bytes))
  // The body arrives before the unit of work, so that a slow one does not hold up other requests. An error in it is
  // reported in its turn.
  await body.catch(() => undefined)
  try {
    const { sessions } = host.journal.committed.of(request.headers.get('x-stack-project-id') ?? '')
    const sessionAtArrival = sessions.get((params['sessionId'] ?? '').toLowerCase())
    // If `answer` throws, the handler's writes are undone.
    const reply = await inUnit(host, engine => answer({ ...engine, sessionAtArrival }, address, params, request, body))
    if (typeof reply !== 'function') return reply
    const then = await reply()
    return await inUnit(host, then)
  } catch (error) {
    if (request.signal.aborted && !(error instanceof RefusedRequest)) throw error
    return refusalReply(error)
  }
}

async function answer(
  engine: OpenEngine,
  address: Address,
  params: Readonly<Record<string, string>>,
  request: Request,
  arrived: Promise<unknown>,
): Promise<Reply | (() => Promise<(engine: OpenEngine) => Promise<Reply>>)> {
  const { rules, isStrict, clock } = engine
  const caller = await authenticate(request.headers, engine)
  if (caller && caller.branchId !== mainBranch && !address.levels.some(({ anyBranch }) => anyBranch)) {
    const { branchId } = caller
    throw known('BRANCH_DOES_NOT_EXIST', `The project has no branch "${branchId}".`, { branchId })
  }
  const served = chooseLevel(address, caller)
  const { takesAnything, takesAnyBody, userFirst, takesMillis: [min, max] = [0, 0] } = served
  const { origin, searchParams } = new URL(request.url)
  const query = Object.fromEntries(searchParams)
  const body = await arrived
  if (userFirst && caller?.access === 'client') requireOwnUser(caller)
  const checked = { query: takesAnything ? {} : query, body: takesAnything || takesAnyBody ? undefined : body }
  const input = checkRequest(served, rules, { params, ...checked }, caller, request)
  const texts = Object.entries(isRecord(body) ? body : {}).filter(([, value]) => typeof value === 'string')
  const sent = takesAnything ? { ...query, ...(Object.fromEntries(texts) as Record<string, string>) } : {}
  const here = { ...engine, place: locationIn(request.headers) }
  const own = caller ? inProject(here, caller.project.id) : here
  const value = await served.run({ engine: own, caller, input, origin, headers: request.headers, sent, body })
  const replyOf = (value: unknown) => {
    const reply = toReply(served, rules, value, request)
    // Tests on a platform that is not strict would only wait longer.
    return { ...reply, delayMillis: isStrict ? min + clock.random() * (max - min) : 0 }
  }
  if (!(value instanceof Awaited) || !caller) return replyOf(value)
  const { outside } = value as Awaited<unknown>
  return async () => {
    const then = await outside()
    return async later => replyOf(await then(inProject(later, caller.project.id)))
  }
}

function chooseLevel(address: Address, caller: Caller | null): ServedRoute {
  const { levels } = address
  if (!caller) {
    const open = levels.find(({ isPublic }) => isPublic)
    if (open) return open
    throw known('ACCESS_TYPE_REQUIRED', 'This endpoint needs the header x-stack-access-type and a project key.')
  }
  const served = levelFor(address, caller.access)
  if (served) return served
  const allowed = allowedAccess(address)
  throw known(
    'INSUFFICIENT_ACCESS_TYPE',
    `Access type ${caller.access} may not call this endpoint; ${allowed.join(' and ')} may.`,
    { actualAccessType: caller.access, allowedAccessTypes: allowed },
  )
}

/** Fields whose text may be "me" in place of a user's id, by their names on the wire. */
const ofUsers = { userId: 'user_id', creatorUserId: 'creator_user_id' } as const

/** The input in local terms, with the id of the user for "me". One refusal names the invalid fields. */
function checkRequest(
  { forms, needsBody, requires = [] }: ServedRoute,
  { wire, hasNewerAnswers }: WireRules,
  { params, query, body }: Readonly<Record<'params' | 'query', Readonly<Record<string, string>>> & { body: unknown }>,
  caller: Caller | null,
  { method, url, headers }: Request,
): Readonly<Record<string, unknown>> {
  const { fields, oneOf, ignoresOthers } = forms[wire]
  const parts: [part: string, fields: Fields, sent: unknown][] = [
    ['params', fields.path, toWireNames(params, fields.path)],
    ['query', fields.query, ignoresOthers ? knownIn(query, fields.query) : query],
  ]
  // The body of a DELETE must be readable JSON, and is ignored.
  if (method !== 'DELETE' && (needsBody || body !== undefined)) parts.push(['body', fields.body, body])
  const saysMe = parts.some(([, expected, sent]) =>
    Object.entries(ofUsers).some(([name, onWire]) => name in expected && isRecord(sent) && sent[onWire] === 'me'),
  )
  // "me" is replaced by the user's id before the fields are checked.
  if (caller && saysMe) requireOwnUser(caller)
  const mismatch = oneOf && mismatchOf(oneOf, body, fields.body)
  const failures: string[] = []
  for (const [part, , sent] of parts) refuseNul(part, sent, failures)
  const inputs = parts.map(([part, expected, sent]) => checkFields(part, expected, sent, failures))
  if (mismatch && failures.every(text => text.startsWith('body'))) throw schemaError(mismatch)
  if (requires.includes('user') && !caller?.user) failures.push('a signed-in user is required')
  if (requires.includes('refreshToken') && !headers.get('x-stack-refresh-token'))
    failures.push('the header x-stack-refresh-token is required')
  if (failures.length > 0) {
    const named = hasNewerAnswers ? failures.map(text => text.replace(calledId, 'params.id ')) : failures
    throw schemaError(`${method} ${new URL(url).pathname} does not fit the endpoint:`, named)
  }
  const input = Object.assign({}, ...inputs) as Record<string, unknown>
  for (const name of Object.keys(ofUsers)) {
    const id = input[name]
    if (typeof id === 'string') input[name] = id === 'me' ? caller?.user?.id : id.toLowerCase()
  }
  return input
}

/** The ids in paths that the newer release calls `id`. */
const calledId = /^params\.(?:invitation|email|email_template|email_theme|email_draft)_id /

function toReply(served: ServedRoute, rules: WireRules, answer: unknown, request: Request): Reply {
  const { asText = false, status = 200, forms } = served
  const how = answer instanceof Answered ? (answer as Answered<unknown>).how : { status, value: answer }
  if ('reply' in how) return how.reply
  const { answers, headers } = forms[rules.wire]
  if (asText) return platformReply(how.status, textType, String(how.value), headers)
  // A browser shows the answer to a person.
  const indent = request.headers.get('accept')?.includes('text/html') ? 2 : undefined
  const body = JSON.stringify(answers ? toWire(answers, how.value) : { success: true }, null, indent)
  return platformReply(how.status, jsonType, body, headers)
}

export function accessOf(headers: Headers): Access | 'none' {
  return accessLevels.find(level => level === headers.get('x-stack-access-type')) ?? 'none'
}
