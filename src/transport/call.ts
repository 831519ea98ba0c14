import * as v from 'valibot'
import { fromWire, toWire, wireName } from '../core/wire'
import type { Shape } from '../core/wire'
import { failed, orThrow, succeeded } from '../core/result'
import type { Result } from '../core/result'
import { AuthError, invalidInput, invalidResponse } from '../errors/auth-error'
import type { AuthErrorOf } from '../errors/auth-error'
import { isInFamily } from '../errors/codes'
import type { ErrorCode, FailCode, FamilyOf } from '../errors/codes'
import { readAccessToken } from './access-token'
import { notThePlatform, parse } from './attempt'
import type { Answer } from './attempt'
import type { Config } from './config'
import type { Owner, Tokens } from './credentials'
import { splitRoute } from './endpoint'
import type { Access, Endpoint } from './endpoint'
import { formHeaders, headersOf } from './headers'
import { withRetries } from './retry'
import { redact } from '../core/redact'
import { apiUrl } from './transport'
import type { Transport } from './transport'
import { misnamed } from './whose'
import type { Whose } from './whose'

export interface CallContext {
  /** Whose call this is; absent where no session owns it. */
  readonly owner?: Owner | undefined
  readonly signal?: AbortSignal | undefined
  readonly onBackoff?: ((cause: string) => void) | undefined
  /** Sent with these tokens whatever the session says now: revoking a session that has ended here. */
  readonly as?: Tokens
  readonly keepalive?: boolean
  /** An answer that cannot be used is one to something that the platform has done. */
  readonly isWrite?: boolean
}

/** Methods that may be repeated although an earlier attempt may have arrived. */
const idempotent = /^(GET|PUT|DELETE|OPTIONS|HEAD|TRACE)$/

/**
 * Calls an endpoint with an input that `checkInput` has passed: sends it as often as the retry rules allow, checks the
 * answer. Resolves to a value, or to one of the errors that the endpoint declares in `fails`; the rest is thrown.
 */
export async function call<I, O, F extends FailCode>(
  transport: Transport,
  endpoint: Endpoint<Access, I, O, F>,
  input: I,
  context: CallContext = {},
): Promise<Result<O, AuthErrorOf<F | FamilyOf<F>>>> {
  const [method, template] = splitRoute(endpoint.route)
  const request = buildRequest(method, template, endpoint, input as Readonly<Record<string, unknown>>)
  const { owner, signal, onBackoff, as, keepalive, isWrite } = context
  const { credentials, config } = transport
  let sent: Tokens | null = null
  const ask = () =>
    withRetries(
      transport,
      {
        method,
        path: template,
        repeatable: idempotent.test(method),
        limitMillis: transport.attemptTimeoutMillis,
        signal,
        onBackoff,
      },
      async send => {
        sent = as ?? (owner ? await credentials.tokensFor(owner, signal) : null)
        const { sentAs, access } = endpoint
        const headers = sentAs === 'form' ? formHeaders() : headersOf(config, access, sent)
        // A form names its own type.
        if (typeof request.body === 'string') headers.set('content-type', 'application/json')
        return send(apiUrl(config, request.path), { ...request.init, headers, ...(keepalive && { keepalive }) })
      },
    )
  let answer = await ask()
  const refused = sent as Tokens | null
  if (refused && owner && (await isWorthAnotherTry(transport, answer, owner, refused, signal))) answer = await ask()
  if (endpoint.notOnPlatform.includes(answer.code ?? answer.status)) throw notOnPlatform(endpoint.route, answer)
  if (answer.error) {
    // An answer that names no more than the family of a declared code says less of the same.
    const code = answer.error.code as ErrorCode
    // Told apart by the list that the endpoint declares, which is where F comes from.
    if (endpoint.fails.some(fail => isInFamily(fail, code))) return failed(answer.error as AuthErrorOf<F | FamilyOf<F>>)
    throw answer.error
  }
  if (answer.status < 200 || answer.status >= 300) throw requestFailed(config, method, template, answer)
  const { access, fixed } = endpoint
  const whose = { path: request.path, fixed, access, accessToken: (sent as Tokens | null)?.accessToken }
  return succeeded(decode(config, endpoint.returns, answer, whose, isWrite))
}

/** The platform refused the access token, or does not know its user: once more with a fresh one, if there is one. */
async function isWorthAnotherTry(
  { credentials }: Transport,
  answer: Answer,
  owner: Owner,
  { accessToken, refreshToken }: Tokens,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { code } = answer
  if (code === null || accessToken === null) return false
  const refusal = refreshToken === null ? answer.error : undefined
  if (code === 'CANNOT_GET_OWN_USER_WITHOUT_USER') return credentials.userMissing(owner, accessToken, signal, refusal)
  // Restricted since the token was issued: a new one says so, and its user is admitted.
  const isBefore = code === 'RESTRICTED_USER_NOT_ALLOWED' && refreshToken && !readAccessToken(accessToken)?.isLimited
  if (!isBefore && !isInFamily(code, 'INVALID_ACCESS_TOKEN')) return false
  credentials.refused(accessToken, refusal)
  return true
}

/** The input with defaults and normal forms, or INVALID_INPUT that names the field. */
export function checkInput<I>(endpoint: Endpoint<Access, I, unknown, FailCode>, input: unknown): I {
  return orThrow(readInput(endpoint, input))
}

/** The same, where a value that a person may have typed is wrong as a value, if the endpoint declares that. */
export function readInput<I>(
  { route, fails, input: schema }: Endpoint<Access, I, unknown, FailCode>,
  input: unknown,
): Result<I, AuthErrorOf<'INVALID_INPUT'>> {
  const result = v.safeParse(schema, input)
  // The schema was made of the very entries that I was derived from.
  if (result.success) return succeeded(result.output as I)
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'input'
  // The messages of the schema library quote the value, which may be a password; those of checks are ours.
  if (issue.type !== 'check')
    throw invalidInput(field, `is not what ${route} takes: expected ${issue.expected ?? issue.type}`)
  const error = invalidInput(field, issue.message)
  if (fails.includes('INVALID_INPUT')) return failed(error)
  throw error
}

interface BuiltRequest {
  /** With the query. */
  readonly path: string
  readonly body: string | URLSearchParams | undefined
  readonly init: RequestInit
}

/** What a call of the endpoint sends, but for its headers. */
export function buildRequest(
  method: string,
  template: string,
  endpoint: Endpoint<Access, unknown, unknown, FailCode>,
  input: Readonly<Record<string, unknown>>,
): BuiltRequest {
  const { places, fixed, sentAs } = endpoint
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const wire = toWire(endpoint.input, input) as Record<string, unknown>
  const inQuery = new URLSearchParams()
  const inBody: Record<string, unknown> = {}
  const hasBody = method !== 'GET' && method !== 'DELETE'
  for (const [name, value] of Object.entries(fixed)) {
    if (hasBody) inBody[name] = value
    else inQuery.set(name, value)
  }
  const entries = (endpoint.input as unknown as { entries: Record<string, Shape<unknown>> }).entries
  for (const [name, place] of Object.entries(places)) {
    const key = wireName(name, entries[name] as Shape<unknown>)
    const value = wire[key]
    if (value === undefined) continue
    if (place === 'query') inQuery.set(key, `${value as string | number | boolean}`)
    if (place === 'body') inBody[key] = value
  }
  const query = inQuery.toString()
  // Creates without fields still need an object: a missing body fails the platform's validation.
  const json = hasBody ? JSON.stringify(inBody) : undefined
  // A form has texts only.
  const body = sentAs === 'form' ? new URLSearchParams(inBody as Record<string, string>) : json
  return {
    path: query ? `${path}?${query}` : path,
    body,
    // The keys are in a form's body, and go nowhere but to the platform.
    init: { method, ...(body !== undefined && { body }), ...(sentAs === 'form' && { redirect: 'error' }) },
  }
}

function decode<O>(
  config: Config,
  returns: Shape<O> | undefined,
  { text, status }: Answer,
  whose: Whose,
  isDone?: boolean,
): O {
  // Without a declared answer O is void; one that is a text is no JSON.
  if (!returns) return undefined as O
  const answer = returns.type === 'string' ? text : parse(text, status, config, isDone)
  const field = misnamed(answer, whose)
  if (field)
    throw invalidResponse(
      `the answer's field "${field}" names another user than the access token; something between the app and the platform changes answers`,
      { status, isDone },
    )
  const result = v.safeParse(returns, fromWire(returns, answer))
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalidResponse(
    `the answer's field "${v.getDotPath(issue) ?? '(whole)'}" is not as documented: expected ${issue.expected ?? issue.type}`,
    { status, isDone },
  )
}

/** A refusal by which a release of the platform that does not have the call is known. */
function notOnPlatform(route: string, answer: Answer): AuthError {
  return new AuthError('NOT_ON_THIS_PLATFORM', `this release of the platform does not have ${route}`, {
    status: answer.status,
    details: { call: route },
    cause: answer.error ?? requestFailed(null, ...splitRoute(route), answer),
  })
}

/** A refusal that is none of the platform's known errors. `config`: null where a 404 does not tell who has answered. */
export function requestFailed(
  config: Config | null,
  method: string,
  path: string,
  { status, text, headers }: Answer,
): AuthError {
  const body = redact(text)
  // What the platform itself does not know is a 200 with the true status beside it.
  const isForeign = config && status === 404 && !headers.has('x-stack-actual-status')
  const message = isForeign
    ? `${notThePlatform(config)}: ${method} ${path} is not there`
    : `${method} ${path} failed with status ${status}: ${body}`
  return new AuthError('REQUEST_FAILED', message, { status, details: { method, path, status, body } })
}
