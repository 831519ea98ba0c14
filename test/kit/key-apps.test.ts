import { inspect } from 'node:util'
import type { Store } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp } from 'rxauth/server'
import { leavePages, showPage, showWorker } from '../page'
import { world } from '../world'

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

const server = {
  field: 'secretServerKey',
  create: createServerApp,
  keys: { secretServerKey: 'ssk_secret' },
  route: 'GET /users',
  read: (options: object): Store<unknown> => createServerApp(options).users$(),
} as const
const admin = {
  field: 'superSecretAdminKey',
  create: createAdminApp,
  keys: { secretServerKey: 'ssk_secret', superSecretAdminKey: 'sak_secret' },
  route: 'GET /internal/projects/current',
  read: (options: object): Store<unknown> => createAdminApp(options).adminProject$,
} as const

describe.each([
  ['server', server],
  ['admin', admin],
] as const)('the keys of an app of the level %s', (level, { field, create, keys, route, read }) => {
  const refused = { code: 'INVALID_INPUT', details: { field } }
  const own = level === 'server' ? 'serverOptions' : 'adminOptions'

  function expectNoKey(texts: readonly string[], secrets: readonly string[]): void {
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
  }

  it.each([
    ['given', keys],
    ['of a local platform', {}],
  ])('that are %s are refused in a browser, and the error does not contain them', async (_, given) => {
    const { platform } = await world()
    const options = { ...platform.options, ...given }
    const { secretServerKey, superSecretAdminKey } = { ...platform.adminOptions, ...given }
    showPage({})
    try {
      const error = thrownBy(() => create(options))
      expect(error).toMatchObject(refused)
      expectNoKey([inspect(error, { depth: 9 }), JSON.stringify(error)], [secretServerKey, superSecretAdminKey])
    } finally {
      leavePages()
    }
    expect(create(options).level).toBe(level)
  })

  // Promise: no-secret-key-in-a-page
  it.each(['DedicatedWorkerGlobalScope', 'SharedWorkerGlobalScope'])('are refused in a worker: %s', async scope => {
    const { platform } = await world()
    const leave = showWorker(scope)
    try {
      expect(thrownBy(() => create(platform[own]))).toMatchObject(refused)
    } finally {
      leave()
    }
  })

  it.each<[string, string, Record<string, unknown>]>([
    ['a service worker, as servers have them', 'ServiceWorkerGlobalScope', {}],
    ['a worker of Deno', 'DedicatedWorkerGlobalScope', { Deno: {} }],
    ['a worker of Node, whatever it has made up', 'WorkerGlobalScope', {}],
  ])('are taken in %s', async (_, scope, globals) => {
    const { platform } = await world()
    const leave = showWorker(scope, globals)
    try {
      expect(create(platform[own]).level).toBe(level)
    } finally {
      leave()
    }
  })

  it('are in no text of the app, and in no error', async () => {
    const { platform, settled } = await world()
    platform.faults.next(route, { status: 403 })
    const error: unknown = await settled(read(platform[own]).refresh()).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 403 })
    const app = create(platform[own])
    const texts = [inspect(error, { depth: 9 }), String(error), JSON.stringify(error), JSON.stringify(Object.keys(app))]
    const { secretServerKey, superSecretAdminKey } = platform.adminOptions
    expectNoKey([...texts, inspect(app, { depth: 1 })], [secretServerKey, superSecretAdminKey])
  })
})
