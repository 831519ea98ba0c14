import { cookieTokens, createClientApp, createKit, memoryTokens, promptCliLogin, requestTokens } from 'rxauth'
import type { ClientOptions } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { createServerApp, currentUser, tokenVerifier, verifyWebhook } from 'rxauth/server'
import { guardOf } from '../../src/platform/node/guard'
import { adaId, renderWorld } from '../session/render-world'
import { hosted, issuer } from '../verify/verifier-world'
import { body, post, secret, signed } from '../verify/webhook-world'
import { ada, world } from '../world'
import { invalid } from './mistaken-calls'

const variables = {
  projectId: 'NEXT_PUBLIC_STACK_PROJECT_ID',
  publishableClientKey: 'NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY',
  baseUrl: 'NEXT_PUBLIC_STACK_API_URL',
  secretServerKey: 'STACK_SECRET_SERVER_KEY',
  superSecretAdminKey: 'STACK_SUPER_SECRET_ADMIN_KEY',
} as const

afterEach(() => {
  for (const name of Object.values(variables)) Reflect.deleteProperty(process.env, name)
})

const ends = (text: string) => `\uFEFF ${text}\u200B\r\n`

describe('invisible ends of settings', () => {
  /** The options with such ends, as they are and as variables. */
  async function given() {
    const one = await renderWorld()
    const options = Object.fromEntries(
      Object.entries(variables).map(([name]) => [
        name,
        ends(Reflect.get(one.platform.adminOptions, name) ?? 'http://localhost:8102'),
      ]),
    )
    const { fetch, clock } = one.platform.options
    return { ...one, options, from: { fetch, clock } }
  }

  // Promise: blank-settings
  it.each(['options', 'variables'] as const)(
    'change nothing: a server app finds the user of cookies, by %s',
    async way => {
      const { options, from, browser, platform } = await given()
      if (way === 'variables')
        for (const [name, variable] of Object.entries(variables)) process.env[variable] = options[name]
      const server = createServerApp({ ...(way === 'options' && pick(options, 'secretServerKey')), ...from })
      const jar = await browser()
      expect(await currentUser(server, jar.request())).toMatchObject({ id: adaId })
      expect(await currentUser(server, jar.request(), { from: 'token' })).toMatchObject({ id: adaId })
      const admin = createAdminApp({ ...(way === 'options' && options), ...from })
      expect(await admin.adminProject$.get()).toMatchObject({ id: platform.options.projectId })
    },
  )

  it('do not end a page in TOKENS_UNAVAILABLE: a sign-in is kept in cookies of the right name', async () => {
    const { options, from, settled, platform } = await given()
    const { projectId } = platform.options
    const jar = new Map<string, string>()
    const cookies = {
      get: () => [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      // A browser drops a cookie whose name has a line break.
      set: (text: string) => {
        if (/^[^\s=]+=/.test(text)) jar.set(...(text.split(';')[0]!.split('=') as [string, string]))
      },
    }
    const own = pick(options, 'publishableClientKey')
    const app = createClientApp({ ...own, ...from, tokens: cookieTokens(), host: { cookies } })
    const signedIn = await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect(signedIn.ok).toBe(true)
    expect([...jar.keys()]).toContain(`stack-refresh-${projectId}`)
    app.dispose()
  })

  it('are removed from the keys of a client app', async () => {
    const { options, from, settled } = await given()
    const app = createClientApp({ ...pick(options, 'publishableClientKey'), ...from, tokens: memoryTokens() })
    expect(await settled(app.project$.get())).toMatchObject({ displayName: expect.any(String) as string })
  })

  it('are removed from issuers, project and base of a verifier, and from both bases', async () => {
    const [hidden, seen] = [ends('https://auth.example.com'), ends('https://public.example.com/')]
    const { first, fetch, clock } = await hosted()
    const own = { projectId: ends('a-project'), fetch, clock }
    const elsewhere = await first.sign({ iss: issuer.replace('auth', 'public') })
    for (const bases of [{ baseUrl: hidden, issuers: [seen] }, { baseUrl: { browser: seen, server: hidden } }])
      for (const token of [await first.sign(), elsewhere])
        await expect(tokenVerifier({ ...own, ...bases })(token)).resolves.toMatchObject({ projectId: 'a-project' })
  })

  it('are removed from origins', async () => {
    const { newApp } = await world()
    const sent: string[] = []
    const network = jest.spyOn(globalThis, 'fetch').mockImplementation(input => {
      sent.push(new Request(input).url)
      return Promise.resolve(new Response(''))
    })
    try {
      const app = newApp({ apiOrigins: [ends('https://api.example.com')], trustedDomains: [ends('https://a.example')] })
      await app.fetch('https://api.example.com/x')
    } finally {
      network.mockRestore()
    }
    expect(sent).toEqual(['https://api.example.com/x'])
  })

  it('are removed from the secret of a webhook, and from the hosts and origins of a local platform', async () => {
    await expect(verifyWebhook(post(signed()), ends(secret))).resolves.toMatchObject({ type: 'team.deleted' })
    expect(body).toContain('team.deleted')
    const allowed = { allowedHosts: [ends('auth.test')], allowedOrigins: [ends('https://app.test')] }
    expect(guardOf('127.0.0.1', allowed)).toBeDefined()
  })
})

/** All but the keys of higher levels than this one. */
function pick(options: Readonly<Record<string, string>>, key: string): Record<string, string> {
  const { projectId = '', publishableClientKey = '', baseUrl = '' } = options
  return { projectId, publishableClientKey, baseUrl, [key]: options[key] ?? '' }
}

describe('a setting that cannot be meant', () => {
  const local: ClientOptions = { baseUrl: 'http://localhost:8102', tokens: memoryTokens() }
  const make = {
    client: (options: object) => createKit({ ...local, ...options }),
    server: (options: object) => createServerApp({ baseUrl: 'http://localhost:8102', ...options }),
    admin: (options: object) => createAdminApp({ baseUrl: 'http://localhost:8102', ...options }),
    verifier: (options: object) => tokenVerifier({ baseUrl: 'http://localhost:8102', ...options }),
    admin_of_owner: (options: object) =>
      createAdminApp({ owner: createClientApp({ ...local, projectId: 'internal' }), ...options } as never),
  }
  const settings = {
    client: ['projectId', 'publishableClientKey', 'baseUrl', 'apiOrigins', 'trustedDomains'],
    server: ['projectId', 'secretServerKey'],
    admin: ['secretServerKey', 'superSecretAdminKey'],
    admin_of_owner: ['projectId'],
    verifier: ['projectId', 'issuers'],
  }
  const fields = Object.entries(settings).flatMap(([kind, names]) =>
    names.map(name => [kind as keyof typeof make, name] as const),
  )
  const isList = (field: string) => /^(apiOrigins|trustedDomains|issuers)$/.test(field)

  // Promise: blank-settings
  it.each(fields)('is named at the creation of a %s: %s', (kind, field) => {
    for (const text of ['https://hunter2\n.example', 'https://hunter2\u200B.example', '"https://hunter2.example"']) {
      const create = () => make[kind]({ [field]: isList(field) ? [text] : text })
      expect(create).toThrow(invalid(field))
      expect(create).toThrow(/a line break|U\+200B|quotes/)
      expect(create).not.toThrow(/hunter2/)
    }
  })

  // Promise: blank-settings
  it.each(fields.filter(([, field]) => isList(field)))('is no text in a list of a %s: %s', (kind, field) => {
    for (const value of [undefined, null, 5]) {
      expect(() => make[kind]({ [field]: ['https://a.example', value] })).toThrow(invalid(field))
      expect(() => make[kind]({ [field]: [value] })).toThrow(/environment variable/)
    }
    expect(() => make[kind]({ [field]: 'https://a.example' })).toThrow(invalid(field))
  })

  it.each([
    ['without a text for a server', { browser: 'https://auth.example.com', server: undefined }],
    ['of a parsed address', new URL('https://auth.example.com')],
  ])('is a base %s: the hosted platform is not asked in its place', (_, baseUrl) => {
    const options = { projectId: 'p', secretServerKey: 'ssk_x', superSecretAdminKey: 'sak_x', baseUrl }
    for (const kind of ['client', 'server', 'admin'] as const) {
      const { secretServerKey: _secret, superSecretAdminKey: _key, ...own } = options
      expect(() => make[kind](kind === 'client' ? own : options)).toThrow(invalid('baseUrl'))
    }
    expect(() => make.verifier({ projectId: 'p', baseUrl })).toThrow(invalid('baseUrl'))
  })

  it('is the secret of a webhook, an address for the login of a program, a host or an origin of a platform', async () => {
    await expect(verifyWebhook(post(signed()), `"${secret}"`)).rejects.toThrow(invalid('secret'))
    await expect(verifyWebhook(post(signed()), undefined as never)).rejects.toThrow(/environment variable/)
    const { app } = await world()
    await expect(promptCliLogin(app, { appUrl: 'https://app\n.example' })).rejects.toThrow(invalid('appUrl'))
    expect(() => guardOf('127.0.0.1', { allowedHosts: [undefined as never] })).toThrow(/no host/)
    expect(() => guardOf('127.0.0.1', { allowedOrigins: [undefined as never] })).toThrow(/no origin/)
    expect(() => guardOf('127.0.0.1', { allowedOrigins: ['https://app\u200B.test'] })).toThrow(/no origin/)
  })
})

// Promise: blank-settings
it('a blank variable is missing', async () => {
  const { platform } = await world()
  for (const variable of Object.values(variables)) process.env[variable] = ' \u200B\n'
  const keyless = { projectId: 'p', baseUrl: 'https://auth.example.com' }
  expect(() => createServerApp(keyless)).toThrow(/secretServerKey is missing/)
  const noProject = /projectId is missing for the platform at https:\/\/api\.stack-auth/
  expect(() => createClientApp({ tokens: memoryTokens() })).toThrow(noProject)
  expect(requestTokens({ headers: {} })).toBeDefined()
  expect(() => createServerApp({ ...platform.serverOptions, projectId: '' })).not.toThrow()
})
