import * as v from 'valibot'
import { DEV } from '../core/dev'
import { callName } from '../core/names'
import { check, fromWire, toWire, wireName, type Shape } from '../core/wire'
import { failed, orThrow, succeeded, type Result } from '../core/result'
import { AuthError, invalidInput, invalidResponse, misuse, type AuthErrorOf } from '../errors/auth-error'
import { isInFamily, type ErrorCode, type FailCode, type FamilyOf } from '../errors/codes'
import { readAccessToken, type Owner, type Tokens } from './access-token'
import { notThePlatform, parse, type Answer } from './attempt'
import type { Config } from './config'
import { splitRoute, type Access, type Endpoint } from './endpoint'
import { formHeaders, headersOf } from './headers'
import { withRetries } from './retry'
import { redact } from '../core/urls'
import { isRecord, jsonText } from '../core/values'
import { apiUrl, misnamed, type Transport, type Whose } from './transport'
import type { LenientAnswer } from './lenient'

export interface CallContext {
  /** The session that owns the call; absent if none does. */
  readonly owner?: Owner | undefined
  readonly signal?: AbortSignal | undefined
  readonly onBackoff?: ((cause: string) => void) | undefined
  /** Tokens to send whatever the present session is: for revoking a session that has ended here. */
  readonly as?: Tokens
  readonly keepalive?: boolean
  /** The platform has done something by the time an unusable answer arrives. */
  readonly isWrite?: boolean
}

/** Methods that may be repeated although an earlier attempt may have arrived. */
const idempotent = /^(GET|PUT|DELETE|OPTIONS|HEAD|TRACE)$/

/**
 * Calls an endpoint with an input from `checkInput`: sends it, retries within the rules, checks the answer. Resolves to a
 * value or to an error that the endpoint declares in `fails`; all others are thrown.
 */
export async function call<I, O, F extends FailCode>(
  transport: Transport,
  endpoint: Endpoint<Access, I, O, F>,
  input: I,
  context: CallContext = {},
): Promise<Result<O, AuthErrorOf<F | FamilyOf<F>>>> {
  const { route, access, fixed, fails } = endpoint
  const [method, template] = splitRoute(route)
  // I is derived from the entries of the input's schema.
  const fields = input as Readonly<Record<string, unknown>>
  const request = buildRequest(method, template, endpoint, fields)
  const { owner, signal, onBackoff, as, keepalive, isWrite } = context
  const { credentials, config } = transport
  const what = callName(endpoint)
  const noteOutcome = endpoint.notOnPlatform?.(transport, endpoint, fields)
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
        what,
      },
      async send => {
        sent = as ?? (owner ? await credentials.tokensFor(owner, signal) : null)
        const headers = endpoint.sentAs === 'form' ? formHeaders() : headersOf(config, access, sent)
        // A form sets its own content type.
        if (typeof request.body === 'string') headers.set('content-type', 'application/json')
        return send(apiUrl(config, request.path), { ...request.init, headers, ...(keepalive && { keepalive }) })
      },
    )
  let answer = await ask()
  const refused = sent as Tokens | null
  if (refused && owner && (await isWorthAnotherTry(transport, answer, owner, refused, signal))) answer = await ask()
  const { status } = answer
  const error =
    answer.error ?? (status < 200 || status >= 300 ? requestFailed(config, method, template, answer, what) : null)
  if (error) {
    noteOutcome?.(error, answer)
    // `fails` is the list that F comes from. An answer may name only the family of a declared code.
    if (fails.some(fail => isInFamily(fail, error.code as ErrorCode)))
      return failed(error as AuthErrorOf<F | FamilyOf<F>>)
    throw error
  }
  const whose = { path: request.path, fixed, access, tokens: sent }
  const value = decode(transport, endpoint, answer, whose, isWrite)
  noteOutcome?.()
  return succeeded(value)
}

/** Whether to try again with a fresh access token: the platform refused this one, or does not know its user. */
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
  // The user was restricted after the token was issued; a new token says so, and the request admits its user.
  const isBefore = code === 'RESTRICTED_USER_NOT_ALLOWED' && refreshToken && !readAccessToken(accessToken)?.isLimited
  if (!isBefore && !isInFamily(code, 'INVALID_ACCESS_TOKEN')) return false
  credentials.refused(accessToken, refusal)
  return true
}

/** The input with defaults and in normal form; throws INVALID_INPUT that names the field. */
export function checkInput<I>(endpoint: Endpoint<Access, I, unknown, FailCode>, input: unknown): I {
  return orThrow(readInput(endpoint, input))
}

/** Like checkInput, but a check that fails is returned as a value if the endpoint declares INVALID_INPUT. */
export function readInput<I>(
  endpoint: Endpoint<Access, I, unknown, FailCode>,
  input: unknown,
): Result<I, AuthErrorOf<'INVALID_INPUT'>> {
  const { fails } = endpoint
  const result = check(endpoint.input, input)
  if (result.success) {
    const output = result.output as Readonly<Record<string, unknown>>
    // Before the write shows it.
    const field = Object.keys(output).find(name => output[name] !== undefined && !isJson(output[name]))
    if (field) throw misuse(field, `cannot be sent as JSON for ${callName(endpoint)}`)
    // I is derived from the entries of this schema.
    return succeeded(output as I)
  }
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'input'
  // Messages of the schema library quote the value, which may be a password; messages of checks are the kit's.
  if (issue.type === 'custom') throw invalidInput(field, issue.message)
  if (issue.type !== 'check') throw invalidInput(field, faultOf(issue, endpoint))
  const error = invalidInput(field, issue.message)
  if (fails.includes('INVALID_INPUT')) return failed(error)
  throw error
}

type DeclaredCall = Pick<Endpoint<Access, never, unknown, FailCode>, 'access' | 'route' | 'places'>

/** The fault of a field: "displayName is missing for createTeam". */
const faultOf: (issue: v.BaseIssue<unknown>, endpoint: DeclaredCall) => string = DEV
  ? ({ expected, type, input, path }, endpoint) => {
      const name = callName(endpoint)
      if (input === undefined) return `is missing for ${name}`
      if (expected !== 'never') return `is not a ${expected ?? type} for ${name}`
      const names = Object.keys(endpoint.places).join(', ')
      return `is unknown to ${name}${path?.length === 1 && names ? `; there are: ${names}` : ''}`
    }
  : (_, endpoint) => `is not valid for ${callName(endpoint)}`

/** False for cycles, bigints, functions and symbols. */
function isJson(value: unknown): boolean {
  try {
    return jsonText(value) !== undefined
  } catch {
    return false
  }
}

interface BuiltRequest {
  /** With the query. */
  readonly path: string
  readonly body: string | URLSearchParams | undefined
  readonly init: RequestInit
}

/** The request of a call, without headers. */
export function buildRequest(
  method: string,
  template: string,
  endpoint: Endpoint<Access, unknown, unknown, FailCode>,
  input: Readonly<Record<string, unknown>>,
): BuiltRequest {
  const { places, fixed, sentAs } = endpoint
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const wire = toWire(endpoint.input, input) as Record<string, unknown>
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const inQuery = new URLSearchParams(hasBody ? {} : fixed)
  const inBody: Record<string, unknown> = hasBody ? { ...fixed } : {}
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
  const json = hasBody ? jsonText(inBody) : undefined
  // A form has texts only.
  const body = sentAs === 'form' ? new URLSearchParams(inBody as Record<string, string>) : json
  return {
    path: query ? `${path}?${query}` : path,
    body,
    // A form's body contains keys, so it never follows a redirect.
    init: { method, ...(body !== undefined && { body }), ...(sentAs === 'form' && { redirect: 'error' }) },
  }
}

function decode<O>(
  transport: Transport,
  endpoint: Pick<Endpoint<Access, never, O, FailCode>, 'access' | 'returns' | 'route'>,
  { text, status }: Answer,
  whose: Whose,
  isDone?: boolean,
): O {
  const { returns, route } = endpoint
  // An answer declared as a text is not JSON.
  const answer =
    returns?.type === 'string'
      ? text
      : parse(status === 204 ? '{}' : text, status, callName(endpoint), transport.config, isDone)
  const field = misnamed(answer, whose)
  if (field)
    throw invalidResponse(
      `another user: ${field}`,
      `${callName(endpoint)}: the answer's field "${field}" names another user than the access token; a proxy may have altered or cached it`,
      { status, isDone },
    )
  if (!returns) {
    // `{ success: true }` as a rule, `{}` for some calls.
    if (!isRecord(answer) || answer['success'] === false || 'error' in answer)
      throw invalidResponse('answer', 'the answer does not say that the platform has done it', { status })
    // Without a declared answer, O is void.
    return undefined as O
  }
  const local = fromWire(returns, answer)
  const { leaveOut } = returns as Partial<LenientAnswer<O>>
  const result = leaveOut?.(local, transport, route) ?? check(returns, local)
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalidResponse(
    `answer: ${v.getDotPath(issue)}`,
    `${callName(endpoint)}: the answer's field "${v.getDotPath(issue) ?? '(whole)'}" is not as documented: expected ${issue.expected ?? issue.type}`,
    { status, isDone },
  )
}

/** The error for a refusal that is no known error. `what`: its name for people. `config`: null if a 404 does not show that something else answered. */
export function requestFailed(
  config: Config | null,
  method: string,
  path: string,
  { status, text, headers }: Answer,
  what = `${method} ${path}`,
): AuthError {
  const body = redact(text)
  // The platform answers its own unknown paths with 200 and the actual status in a header.
  const isForeign = DEV && config && status === 404 && !headers.has('x-stack-actual-status')
  const message = isForeign
    ? `${notThePlatform(config)}: ${what} is not there`
    : `${what} failed with status ${status}: ${body}`
  return new AuthError('REQUEST_FAILED', message, { status, details: { method, path, status, body } })
}
