import { App, configOf } from '../angular/app/app'
import { inject, mergeApplicationConfig, REQUEST } from '@angular/core'
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser'
import { provideServerRendering, renderApplication } from '@angular/platform-server'
import { requestTokens, type ClientApp } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'

const people = ['Ada', 'Grace', 'Edsger'].map(displayName => ({
  email: `${displayName.toLowerCase()}@example.com`,
  displayName,
}))

let platform: Platform
/** The apps of the renders. */
let apps: ClientApp[]

beforeEach(() => {
  platform = createPlatform({ seed: { users: people } })
  apps = []
  // Each start says that it is in development mode.
  jest.spyOn(console, 'log').mockImplementation(() => undefined)
})

afterEach(() => {
  jest.restoreAllMocks()
})

/** The text of the page that a server sends for a request with these cookies. */
async function render(url: string, cookie = ''): Promise<string> {
  const request = new Request(`https://app.example.com${url}`, { headers: { cookie } })
  const config = configOf(() => ({ ...platform.options, tokens: requestTokens(inject(REQUEST)!) }))
  const own = { providers: [provideServerRendering()] }
  const html = await renderApplication(
    async (context: BootstrapContext) => {
      const ref = await bootstrapApplication(App, mergeApplicationConfig(config, own), context)
      apps.push((ref.components[0]!.instance as { readonly app: ClientApp }).app)
      return ref
    },
    {
      document: '<html><body><notes-app></notes-app></body></html>',
      url: request.url,
      allowedHosts: ['app.example.com'],
      platformProviders: [{ provide: REQUEST, useValue: request }],
    },
  )
  return html
    .replace(/<(style|script)[^]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

async function cookieOf(email: string): Promise<string> {
  const { refreshToken } = (await platform.tokensFor(email)).read()!
  return `stack-refresh-${platform.options.projectId}=${refreshToken}`
}

describe('an Angular app on a server', () => {
  it('renders the page of a guard with the user and the stores of its templates', async () => {
    const text = await render('/notes', await cookieOf('ada@example.com'))
    expect(text).toContain('Signed in as Ada')
    expect(text).toContain('Name: Ada')
    expect(text).toContain('Teams: 0')
  })

  it('waits for the user of a page without a guard', async () => {
    expect(await render('/', await cookieOf('ada@example.com'))).toContain('Signed in as Ada')
  })

  it('redirects a guest to the sign-in', async () => {
    const text = await render('/notes')
    expect(text).toContain('Sign in')
    expect(text).not.toContain('Name:')
  })

  it('shows each of many requests at once its own user', async () => {
    platform.faults.every('GET /users/me', { delayMillis: 5 })
    const asked = Array.from({ length: 12 }, (_, at) => people[at % people.length]!)
    const texts = await Promise.all(asked.map(async ({ email }) => render('/notes', await cookieOf(email))))
    expect(texts.map(text => /Name: (\w+)/.exec(text)?.[1])).toEqual(asked.map(({ displayName }) => displayName))
    expect(texts.map(text => /Signed in as (\w+)/.exec(text)?.[1])).toEqual(asked.map(({ displayName }) => displayName))
    expect(new Set(apps).size).toBe(12)
  })

  it('ends the app of a request with its render', async () => {
    await render('/notes', await cookieOf('ada@example.com'))
    expect(apps).toHaveLength(1)
    await expect(apps[0]!.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('renders a page that is not guarded while the session cannot be found out', async () => {
    const cookie = await cookieOf('ada@example.com')
    platform.faults.every('*', { status: 400 })
    expect(await render('/', cookie)).toContain('unknown')
  })
})
