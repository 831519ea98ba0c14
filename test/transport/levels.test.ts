import { createClientApp, type TokenSource } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createPlatform, virtualClock } from 'rxauth/platform'
import * as owned from '../../src/entities/projects/client-owned'
import * as admin from '../../src/entities/admin'
import * as client from '../../src/kit/client-members'
import * as server from '../../src/entities/server'
import { splitRoute } from '../../src/transport/endpoint'
import type { DeclaredEndpoint } from '../declared-endpoints'
import { sampleInput } from '../sample-input'

/** No app has the functions of owned projects. */
const registries = { client: { ...client, ...owned }, server, admin } as const
type Level = keyof typeof registries

type Definition = ((kit: unknown, input?: object) => unknown) & { readonly endpoint?: DeclaredEndpoint }

/** Every definition over an endpoint, with its registry. */
const definitions = Object.entries(registries).flatMap(([level, registry]) =>
  Object.entries(registry as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    const definition = value as Definition
    return typeof value === 'function' && definition.endpoint
      ? [{ level: level as Level, name, definition, endpoint: definition.endpoint }]
      : []
  }),
)

const keyNames = ['x-stack-publishable-client-key', 'x-stack-secret-server-key', 'x-stack-super-secret-admin-key']

/** Every request of a kit with the highest rights when a definition is called with it. */
async function sentBy({ level, definition, endpoint }: (typeof definitions)[number]) {
  const clock = virtualClock()
  // Of the internal project, whose users own projects.
  const platform = createPlatform({
    clock,
    seed: { project: { id: 'internal' }, users: [{ email: 'ada@example.com', password: 'correct horse' }] },
  })
  const sent: { readonly method: string; readonly path: string; readonly headers: Headers }[] = []
  const fetch: typeof platform.options.fetch = (input, init) => {
    const { pathname } = new URL(input as string)
    sent.push({
      method: init?.method ?? 'GET',
      path: pathname.replace('/api/v1', ''),
      headers: new Headers(init?.headers),
    })
    return platform.options.fetch(input, init)
  }
  const tokens: TokenSource = await platform.tokensFor('ada@example.com')
  const own = createAdminApp({ ...platform.adminOptions, fetch })
  // The user's own things are those of a request.
  const kit = endpoint.ownedBy === 'session' || level === 'client' ? own.withTokens(tokens) : own
  const input = sampleInput(endpoint, true)
  const called = definition(kit, input) as Promise<unknown> | { get(): Promise<unknown> }
  const done = 'get' in called ? called.get() : called
  done.catch(() => undefined)
  await clock.advance(10_000)
  own.dispose()
  platform.dispose()
  const [method, path] = splitRoute(endpoint.route)
  const form = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    // The kit knows the client's own id in a path.
    name === 'userId' && level === 'client' ? '[^/]+' : encodeURIComponent(String(input[name])),
  )
  return {
    request: sent.find(each => each.method === method && new RegExp(`^${form}$`).test(each.path)),
    platform,
    sent,
  }
}

describe('the definitions', () => {
  it('are found in all three registries', () => {
    for (const [level, some] of [
      ['client', 'updateUser'],
      ['server', 'users$'],
      ['admin', 'metrics$'],
    ])
      expect(definitions.some(each => each.level === level && each.name === some)).toBe(true)
  })

  // Promise: access-levels
  it('are in one registry each', () => {
    const names = Object.values(registries).flatMap(registry => Object.keys(registry))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

it('are each declared at the level of their registry', () => {
  expect(definitions.filter(({ endpoint, level }) => endpoint.access !== level).map(({ name }) => name)).toEqual([])
})

describe.each(definitions)('$level: $name', one => {
  // Promise: access-levels
  it('sends the access type and the keys of its level, and no other key', async () => {
    const { request, platform, sent } = await sentBy(one)
    expect([one.endpoint.route, sent.length > 0, request !== undefined]).toEqual([one.endpoint.route, true, true])
    const { headers } = request!
    expect(headers.get('x-stack-access-type')).toBe(one.level)
    const { publishableClientKey, secretServerKey, superSecretAdminKey } = platform.adminOptions
    expect(keyNames.map(name => headers.get(name))).toEqual([
      publishableClientKey,
      one.level === 'client' ? null : secretServerKey,
      one.level === 'admin' ? superSecretAdminKey : null,
    ])
  })
})

it('a client app takes no key of a higher level, and sends none', async () => {
  const platform = createPlatform()
  const seen: Headers[] = []
  const tokens: TokenSource = { read: () => null, replace: () => true }
  const { superSecretAdminKey, secretServerKey } = platform.adminOptions
  for (const key of [{ superSecretAdminKey }, { secretServerKey }])
    expect(() => createClientApp({ ...platform.options, ...key, tokens })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        details: expect.objectContaining({ field: Object.keys(key)[0] }),
      }),
    )
  const app = createClientApp({
    ...platform.options,
    tokens,
    fetch(input, init) {
      seen.push(new Headers(init?.headers))
      return platform.options.fetch(input, init)
    },
  })
  await app.project$.get()
  expect(seen.map(headers => keyNames.map(name => headers.has(name)))).toEqual([[true, false, false]])
  app.dispose()
})
