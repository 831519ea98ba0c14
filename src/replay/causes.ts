import * as client from '../kit/client-members'
import * as accounts from '../entities/connected-accounts/client'
import * as channels from '../entities/contact-channels/client'
import * as projects from '../entities/projects/client-owned'
import { verify } from '../sign-in/email-verification'
import { register } from '../sign-in/passkey/passkey'
import { add, change } from '../sign-in/password/password'
import { fromWire, wireName } from '../core/wire'
import type { Shape } from '../core/wire'
import { isRecord, orUndefined } from '../core/values'
import { token } from '../session/endpoints'
import { refreshOnce } from '../session/refresh'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import type { Query } from '../store/definition'
import type { KitStore } from '../store/store'
import { argsKey } from '../store/source'
import type { Source } from '../store/source'
import { buildRequest, checkInput } from '../transport/call'
import type { Access, Endpoint } from '../transport/endpoint'
import { splitRoute } from '../transport/endpoint'
import type { FailCode } from '../errors/codes'
import type { EventOf } from './checked'

type Declared = Endpoint<Access, object, unknown, FailCode>

/** A query or a mutation over an endpoint, as far as it is called here. */
interface Definition {
  (kit: Kit, input?: object, options?: object): unknown
  readonly endpoint?: Declared
  readonly '~source'?: Source
}

type Opens = ((kit: Kit, input: object) => KitStore<unknown>) & Pick<Query<'client', object, unknown>, '~source'>

const definitions = [client, accounts, channels, projects, { verify, register, add, change }]
  .flatMap(module => Object.values(module) as unknown[])
  .filter((each): each is Definition => typeof each === 'function' && 'endpoint' in each)

const queries = new Map(definitions.flatMap(each => (each['~source'] ? [[each['~source'].key, each as Opens]] : [])))

/** The query with this key of its source. */
export function queryOf(key: string): Opens | undefined {
  return queries.get(key)
}

/**
 * What sends this request: the refresh of the access token, the load of a store, or a write, which the returned function calls.
 * Stores load by events of their own. Undefined: it is one of signing in, and what it brings is in the events of tokens.
 */
export function causeOf(kit: Kit, request: EventOf<'request'>): ((signal: AbortSignal) => void) | undefined {
  const { session } = coreOf(kit)
  if (`${request.method} ${request.path}` === token.route) {
    const refreshToken = session.tokens?.refreshToken
    // The token of a session that has ended is used only to revoke it.
    if (!refreshToken || !isRecord(request.body) || request.body['refresh_token'] !== refreshToken) return undefined
    return () => void refreshOnce(session, refreshToken, 'expired', undefined).catch(() => undefined)
  }
  if (loadedBy(request) !== undefined) return () => undefined
  const [found] = matching(request, definition => !definition['~source'])
  if (!found) return undefined
  const { definition, input } = found
  const takesInput = Object.keys(definition.endpoint?.places ?? {}).length > 0
  return signal => {
    const written = takesInput ? definition(kit, input, { signal }) : definition(kit, { signal })
    // A result that is not read is warned of.
    Promise.resolve(written).then(
      result => isRecord(result) && result['ok'],
      () => undefined,
    )
  }
}

/** The name of the store that sends this request. */
export function loadedBy(request: EventOf<'request'>): string | undefined {
  const [found] = matching(request, definition => definition['~source'] !== undefined)
  return found && `${found.definition['~source']?.key} ${argsKey(found.input)}`
}

function* matching(request: EventOf<'request'>, isWanted: (definition: Definition) => boolean) {
  for (const definition of definitions) {
    const input = isWanted(definition) && inputOf(definition, request)
    if (input) yield { definition, input }
  }
}

/** The input with which the definition sends the request; undefined if it sends another one. */
function inputOf({ endpoint }: Definition, { method, path, body }: EventOf<'request'>): object | undefined {
  if (!endpoint) return undefined
  const [declared, template] = splitRoute(endpoint.route)
  const [route = '', query] = path.split('?', 2)
  const parts = template.split('/')
  const given = route.split('/')
  if (declared !== method || parts.length !== given.length) return undefined
  const { entries } = endpoint.input as unknown as { readonly entries: Readonly<Record<string, Shape<unknown>>> }
  const wire: Record<string, unknown> = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(isRecord(body) && body),
  }
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const shape = name === undefined ? undefined : entries[name]
    if (name !== undefined && shape)
      wire[wireName(name, shape)] = orUndefined(() => decodeURIComponent(given[index] ?? ''))
    else if (part !== given[index]) return undefined
  }
  return orUndefined(() => {
    const input = checkInput(endpoint, fromWire(endpoint.input, wire))
    const built = buildRequest(method, template, endpoint, input as Readonly<Record<string, unknown>>)
    return built.path === path && isSameBody(built.body, body) ? input : undefined
  })
}

function isSameBody(built: unknown, body: unknown): boolean {
  if (built === undefined || typeof built !== 'string') return built === undefined && body === undefined
  const fields = Object.entries(JSON.parse(built) as object)
  return isRecord(body) && fields.length === Object.keys(body).length && fields.every(([name]) => name in body)
}
