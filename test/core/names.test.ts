import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClientApp, createKit, memoryTokens, oauthProviders$, query, teams$, type ClientApp } from 'rxauth'
import * as admin from 'rxauth/admin'
import * as server from 'rxauth/server'
import { createPlatform } from 'rxauth/platform'
import * as rxauth from 'rxauth'
import { callName, storeName } from '../../src/core/names'
import { declaredEndpoints } from '../declared-endpoints'
import { ada, grace, world } from '../world'

const wirePath = /\b(GET|POST|PUT|PATCH|DELETE) \//

describe('the message of a call', () => {
  const refused = [{ status: 400 }, { status: 418 }]

  // Promise: names-in-development
  it.each<[name: string, route: string, run: (app: ClientApp) => Promise<unknown>]>([
    ['user$', 'GET /users/me', app => app.user$.refresh()],
    ['team$', 'GET /teams/{teamId}', app => app.team$({ teamId }).get()],
    ['updateUser', 'PATCH /users/me', app => app.updateUser({ displayName: 'Ada' })],
    ['createTeam', 'POST /teams', app => app.createTeam({ displayName: 'Engineering' })],
    [
      'signInWithPassword',
      'POST /auth/password/sign-in',
      app => app.signInWithPassword({ email: grace.email, password: grace.password }),
    ],
    [
      'sendMagicLinkEmail',
      'POST /auth/otp/send-sign-in-code',
      app => app.sendMagicLinkEmail({ email: ada.email, callbackUrl }),
    ],
  ])('names %s, and the details have its route', async (name, route, run) => {
    const { app, clock, platform } = await world({ platform: { seed: { users: [ada, grace], project } } })
    const errorOf = async () => {
      const done = run(app).then(String, (thrown: unknown) => thrown)
      await clock.advance(60_000)
      return done
    }
    const path = route.slice(route.indexOf(' ') + 1)
    for (const fault of refused) {
      platform.faults.next(route, fault)
      expect(await errorOf()).toMatchObject({
        code: 'REQUEST_FAILED',
        message: expect.stringMatching(`^${name.replace('$', '\\$')} failed with status ${fault.status}`),
        details: { path },
      })
    }
    const stop = platform.faults.every(route, { loseResponse: true })
    const lost = await errorOf()
    stop()
    expect(String(lost)).toContain(`${name} failed: the platform cannot be reached`)
    expect(String(lost)).not.toMatch(wirePath)
  })

  it('names the refresh of the access token', async () => {
    const { app, clock, platform, inTime } = await world()
    await clock.advance(3_600_000)
    platform.faults.next('POST /auth/oauth/token', { status: 500 })
    const error = await inTime(app.accessToken()).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('the refresh of the access token failed with status 500')
  })

  it('names the method that needs a user, and the one whose input is wrong', async () => {
    const { newApp, settled } = await world()
    const guest = newApp()
    await expect(settled(guest.createTeam({ displayName: 'x' }))).rejects.toThrow('createTeam needs a signed-in user')
    await expect(settled(guest.signInWithPassword({ email: 'a@b.c' } as never))).rejects.toThrow(
      'password is missing for signInWithPassword',
    )
  })
})

const teamId = '10ca1de7-0000-4000-8000-000000000009'
const callbackUrl = 'https://app.example.com/callback'
const project = { config: { magicLinkEnabled: true } }

describe('the name of', () => {
  const platform = createPlatform()
  const apps = [
    createClientApp({ ...platform.options, tokens: memoryTokens() }),
    server.createServerApp(platform.serverOptions),
    admin.createAdminApp(platform.adminOptions),
  ]
  const names = new Set([...apps.flatMap(app => Object.keys(app)), ...Object.keys({ ...rxauth, ...server, ...admin })])

  // Promise: names-in-development
  it('every call is one that a person can write', () => {
    const unnamed = declaredEndpoints().filter(endpoint => !names.has(callName(endpoint)))
    expect(unnamed.map(({ route }) => route)).toEqual([])
  })

  it('no other call is in the list', () => {
    const source = readFileSync(join(__dirname, '../../src/core/names.ts'), 'utf8')
    const listed = [...source.matchAll(/^ {4,}'(\w+ [A-Z]+ \/.*?)':/gm)].map(([, key]) => key)
    const declared = new Set(declaredEndpoints().map(({ access, route }) => `${access} ${route}`))
    expect(listed.length).toBeGreaterThan(70)
    expect(listed.filter(key => key === undefined || !declared.has(key))).toEqual([])
  })

  it('a store without one says what it asks for, and the app’s own store has its key', () => {
    expect(storeName({ key: 'client GET /things' })).toBe('the store of GET /things')
    expect(JSON.stringify(oauthProviders$(createKit({ ...platform.options, tokens: memoryTokens() })))).toContain(
      'oauthProviders$',
    )
    const kit = createKit({ ...platform.options, tokens: memoryTokens() })
    const notes$ = query(() => Promise.resolve([]), { key: 'notes', ownedBy: 'app' })
    expect(JSON.stringify(notes$(kit))).toContain('"name":"notes"')
    // An app of this process has it.
    expect(JSON.stringify(teams$(kit))).toContain('"name":"teams$"')
  })
})
