import { call } from '../../src/transport/call'
import { declaredEndpoints, patternOf, type DeclaredEndpoint } from '../declared-endpoints'
import { sampleInput } from '../sample-input'
import { sparseAnswers } from '../flows/every-sample'
import type { SparseAnswer, SparseAnswers } from '../flows/samples'
import others from '../wire/sparse-answers.json'
import { exchange, owner } from './exchange'

// Only what every release of the platform sends, written by hand from the descriptions of both: a declaration that requires
// more would refuse a valid platform.

/** Those of entities are in their samples. */
const sparse: readonly SparseAnswers[] = [others, ...sparseAnswers]
const shapes: Readonly<Record<string, unknown>> = Object.assign({}, ...sparse.map(each => each.shapes))
/** A line for each level: `client|server GET /teams` has two. */
const linesOf = (line: string) => {
  const [levels = '', ...route] = line.split(' ')
  return levels.split('|').map(level => [level, ...route].join(' '))
}
const answers: Readonly<Record<string, SparseAnswer>> = Object.fromEntries(
  sparse.flatMap(each =>
    Object.entries(each.answers).flatMap(([line, answer]) => linesOf(line).map(at => [at, answer])),
  ),
)
const declared = declaredEndpoints()
/** A text has no optional parts; test/entities/projects/client-feature-support.test.ts reads it. */
const endpoints = declared.filter(({ returns }) => returns && returns.type !== 'string')
/** The same address lists the invitations of a team or those to a user, which one release alone has. */
const lineOf = ({ access, route, fixed, places }: DeclaredEndpoint) => {
  const isOfUser = route === 'GET /team-invitations' && ('user_id' in fixed || 'userId' in places)
  return `${access} ${patternOf(route)}${isOfUser ? ' to a user' : ''}`
}

/** The shape with its named shapes inserted; one has the fields beside its name, too. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named)
  if (typeof value !== 'object' || value === null) return value
  if ('shape' in value) {
    const { shape, ...more } = value
    return { ...(named(shapes[shape as string]) as object), ...(named(more) as object) }
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, named(part)]))
}

function bodyOf(answer: SparseAnswer | undefined): unknown {
  if (typeof answer === 'string') return named(shapes[answer])
  if (answer === undefined) throw new Error('the endpoint has no sparse answer in the samples of its entity')
  if ('items' in answer) return { items: [named(shapes[answer.items])], is_paginated: false }
  return { items: [named(shapes[answer.page])], is_paginated: true, pagination: { next_cursor: null } }
}

async function answered(endpoint: DeclaredEndpoint, body: unknown): Promise<unknown> {
  const { transport } = exchange([{ body }])
  const result = await call(transport, endpoint, sampleInput(endpoint), { owner })
  return result.ok ? result.value : result.error
}

/** The fields that only one of the releases sends. */
const notEverywhere = [
  ...['user_count', 'sender_config', 'is_current_session', 'last_used_at', 'last_used_at_end_user_ip_info', 'email'],
  ...['owner_team_id', 'onboarding_status', 'provider_config_id', 'logo_url', 'logo_full_url', 'user_email'],
  ...['is_restricted', 'restricted_reason', 'country_code', 'risk_scores', 'agent_name', 'to', 'error'],
]

/** One release alone has the calls with these. */
const ofOneRelease = ['oauth provider', 'affected users', 'outbox email']

describe('the sparse answers', () => {
  // Promise: sparse-answers
  it('exist for each endpoint that answers something', () => {
    expect(Object.keys(answers).sort()).toEqual([...new Set(endpoints.map(lineOf))].sort())
  })

  it('leave out only the endpoints in `others`: an address that is new, gone or changed fails here', () => {
    const silent = declared.filter(endpoint => !endpoints.includes(endpoint))
    const lines = sparse.flatMap(each => each.others ?? []).flatMap(linesOf)
    expect(lines.sort()).toEqual([...new Set(silent.map(lineOf))].sort())
  })

  it.each(Object.keys(shapes).filter(shape => !ofOneRelease.includes(shape)))(
    'have nothing that one release leaves out: %s',
    shape => {
      const keys = JSON.stringify(shapes[shape]).match(/"(\w+)":/g) ?? []
      expect(keys.map(key => key.slice(1, -2)).filter(key => notEverywhere.includes(key))).toEqual([])
    },
  )
})

describe('what every release sends is enough', () => {
  // Promise: sparse-answers
  it.each(endpoints.map(endpoint => [lineOf(endpoint), endpoint] as const))('for %s', async (line, endpoint) => {
    expect(await answered(endpoint, bodyOf(answers[line]))).not.toBeInstanceOf(Error)
  })

  // Promise: sparse-answers
  it('and what is missing is absent, not undefined', async () => {
    for (const endpoint of endpoints) {
      const value = await answered(endpoint, bodyOf(answers[lineOf(endpoint)]))
      expect([lineOf(endpoint), undefinedIn(value)]).toEqual([lineOf(endpoint), []])
    }
  })

  it('and what a later release adds is dropped', async () => {
    const endpoint = endpoints.find(({ route }) => route === 'GET /internal/projects/current')!
    const body = bodyOf('project for owners') as { readonly config: object }
    const more = { ...body, new_field: 't', config: { ...body.config, new_setting: true } }
    expect(await answered(endpoint, more)).toEqual(await answered(endpoint, body))
  })
})

describe('an answer that is no JSON', () => {
  // Promise: write-unusable-answer
  it.each(endpoints.map(endpoint => [lineOf(endpoint), endpoint] as const))(
    'has isDone for a write, and not for a read: %s',
    async (_, endpoint) => {
      for (const isWrite of [true, false]) {
        const { transport } = exchange([{ body: '<html>' }])
        const asked = call(transport, endpoint, sampleInput(endpoint), { owner, isWrite })
        await expect(asked).rejects.toMatchObject({ code: 'INVALID_RESPONSE', details: { isDone: isWrite } })
      }
    },
  )
})

/** Of a gateway, a captive portal or a mock, as a body; none of them says what the platform would say. */
const foreign = ['', '<html>', 'null', '[]', '"ok"', '7', '{"error":"no"}', '{"success":false}']
const missing = ['{}', '{"data":{}}', '{"items":null}', '{"items":{}}', '{"is_paginated":false}']

describe('an answer of something else than the platform is INVALID_RESPONSE, never nothing', () => {
  const cases = declared
    // An app finds out about a feature by its text; the form of these statistics is not declared.
    .filter(({ returns, route }) => returns?.type !== 'string' && !route.endsWith('/sign-up-rules-stats'))
    .map(endpoint => [lineOf(endpoint), endpoint, endpoint.returns ? [...foreign, ...missing] : foreign] as const)
  /** Two say that a mail or a webhook was not sent. */
  const mayFail = ['admin POST /internal/send-test-email', 'admin POST /internal/send-test-webhook']

  // Promise: sparse-answers
  it.each(cases)('for %s', async (line, endpoint, bodies) => {
    for (const body of bodies.filter(body => !(mayFail.includes(line) && body === '{"success":false}'))) {
      const { transport } = exchange([{ body }])
      const asked = call(transport, endpoint, sampleInput(endpoint), { owner, isWrite: true })
      await expect(asked.then(({ ok }) => [body, ok])).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    }
  })

  it('unless a call answers nothing at all: 204 without a body is done', async () => {
    const endpoint = declared.find(({ route }) => route === 'DELETE /users/me')!
    const transport = { ...exchange([]).transport, fetch: () => Promise.resolve(new Response(null, { status: 204 })) }
    await expect(call(transport, endpoint, {}, { owner })).resolves.toEqual({ ok: true, value: undefined })
  })
})

function undefinedIn(value: unknown, path = ''): string[] {
  if (value === undefined) return [path]
  // A result without a value has an undefined one.
  if (typeof value === 'object' && value !== null && 'ok' in value) return []
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  return Object.entries(value).flatMap(([key, part]) => undefinedIn(part, `${path}.${key}`))
}
