import { totpCode } from 'rxauth/platform'
import { appOf, folderWith, password, start } from './developed'

describe('rxauth dev', () => {
  it('has every sign-in method on', async () => {
    const platform = await start()
    const { config } = await appOf(platform).project$.get()
    expect(config).toMatchObject({
      signUpEnabled: true,
      credentialEnabled: true,
      magicLinkEnabled: true,
      passkeyEnabled: true,
      clientTeamCreationEnabled: true,
      clientUserDeletionEnabled: true,
      allowUserApiKeys: true,
      allowTeamApiKeys: true,
    })
    expect(config.enabledOauthProviders.map(({ id }) => id)).toEqual(['github', 'google', 'microsoft'])
    expect(await appOf(platform).signUpAnonymously()).toMatchObject({ isNewUser: true })
  })

  it('prints users with working passwords, one of them with a second factor', async () => {
    const platform = await start()
    const people = [
      ...platform.out().matchAll(/^ {2}(\S+@\S+) .* password "(.+?)"(?:, second factor (\w+))?, (http\S+)$/gm),
    ]
    expect(people.map(([, email]) => email)).toEqual(['ada@example.com', 'grace@example.com', 'alan@example.com'])
    for (const [, email = '', given = '', secret, address] of people) {
      expect(address).toBe(`${platform.url}/as/${email}`)
      const app = appOf(platform)
      const result = await app.signInWithPassword({ email, password: given })
      if (secret === undefined) expect(result.ok).toBe(true)
      else {
        expect(result).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
        const totp = await totpCode(new TextEncoder().encode('local second factor'), Date.now())
        expect(await app.continueSignIn({ totp })).toMatchObject({ ok: true })
      }
      const [team] = await app.teams$.get()
      expect(team?.displayName).toBe('Analytical Engines')
    }
  })

  it.each([
    ['', 5173],
    ['?to=http://localhost:8080/', 8080],
  ])('signs people in at the app of the project, where the address names no other page: /as%s', async (query, port) => {
    const { url } = await start([], { folder: folderWith({ devDependencies: { vite: '*' } }, 'package.json') })
    const list = await (await fetch(`${url}/as${query}`)).text()
    expect(list).toContain(`${url}/as/ada%40example.com?to=${encodeURIComponent(`http://localhost:${port}/`)}\n`)
  })

  it('with --json prints one line for tools, and nothing else on standard output', async () => {
    const { out, url, ask, isOutReserved } = await start(['--json', '--log'])
    await ask('/users/unknown')
    expect(isOutReserved()).toBe(true)
    expect(out().split('\n')).toEqual([expect.stringMatching(/^\{.*\}$/), ''])
    expect(JSON.parse(out())).toMatchObject({
      url,
      mailbox: `${url}/mailbox`,
      projectId: '10ca1de7-0000-4000-8000-000000000001',
      data: null,
      config: null,
      users: [
        { email: 'ada@example.com', password },
        { email: 'grace@example.com', password },
        { email: 'alan@example.com', password, totpSecret: 'NRXWGYLMEBZWKY3PNZSCAZTBMN2G64Q' },
      ],
      owners: [{ email: 'owner@example.com', password }],
      env: {
        ...{ STACK_API_URL: url, VITE_STACK_API_URL: url, NEXT_PUBLIC_STACK_API_URL: url },
        // Else a line of an `.env` file for another platform would be used.
        ...{ HEXCLAVE_API_URL: url, NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER: url, HEXCLAVE_API_URL_SERVER: url },
        ...{ NEXT_PUBLIC_SERVER_STACK_API_URL: url, NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL: url },
        HEXCLAVE_SECRET_SERVER_KEY: expect.stringMatching(/^ssk_/) as string,
      },
    })
  })

  it("continues without a browser, and prints the page's address", async () => {
    const { url, err, ask } = await start(['--open'], { openPage: () => Promise.reject(new Error('no xdg-open')) })
    expect(err()).toMatch(new RegExp(`no browser can be opened \\(no xdg-open\\): the page is ${url}/`))
    expect((await ask('/projects/current')).status).toBe(200)
  })

  it('on all addresses warns who can reach it, and still refuses other host names', async () => {
    const { out, url, ask } = await start(['--host', '0.0.0.0'])
    expect(url).toMatch(/^http:\/\/localhost:/)
    expect(out()).toContain('Exposed: whatever reaches ')
    expect(out()).toContain('can read every mail and do everything with the secret keys')
    expect((await ask('/projects/current')).status).toBe(200)
    const { sendRaw } = await import('../platform/node/raw')
    const status = async (host: string) =>
      (await sendRaw({ url, close: () => Promise.resolve() }, 'GET /health', { host })).status
    expect([await status('192.168.7.7'), await status('evil.test')]).toEqual([200, 403])
  })
})

describe('rxauth dev --log', () => {
  it('prints a line per request, each failure with its reason, and no secrets', async () => {
    const { url, out, ask } = await start(['--log'])
    const before = out()
    await ask('/projects/current')
    await ask('/auth/password/sign-in', {
      method: 'POST',
      headers: {
        'x-stack-access-type': 'client',
        'x-stack-publishable-client-key': 'pck_local-platform-publishable-client-key-not-a-secret',
        'x-stack-override-error-status': 'true',
      },
      body: JSON.stringify({ email: 'ada@example.com', password: 'wrong-password-9' }),
    })
    await ask('/nowhere?code=secret-code-1234')
    await ask('/api-keys/sk_local%2Fkey+1=/0123456789abcdefghjkmnpqr%2Fada%40example.com')
    await fetch(`${url}/mailbox`, { headers: { origin: 'https://evil.test' } })
    const log = out().slice(before.length)
    expect(log.replace(/\d+ ms/g, 'N ms').split('\n')).toEqual([
      'GET /api/v1/projects/current (admin) 200 N ms',
      expect.stringMatching(
        /^POST \/api\/v1\/auth\/password\/sign-in \(client\) 400 N ms: EMAIL_PASSWORD_MISMATCH \S.+/,
      ),
      expect.stringMatching(/^GET \/api\/v1\/nowhere \(admin\) 404 N ms: The local platform has nothing at/),
      expect.stringMatching(/^GET \/api\/v1\/api-keys\/\[key\]\S*\/\[email\] \(admin\) 404 N ms/),
      expect.stringMatching(/^GET \/mailbox 403 N ms: A page of https:\/\/evil\.test may not read the mailbox/),
      '',
    ])
    expect(log).not.toMatch(/wrong-password-9|secret-code|sak_|sk_local|0123456789abc|ada/)
  })

  it('is silent without it', async () => {
    const { out, ask } = await start()
    const before = out()
    await ask('/projects/current')
    expect(out()).toBe(before)
  })
})
