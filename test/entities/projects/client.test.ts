import * as v from 'valibot'
import { fromWire } from '../../../src/core/wire'
import { Project } from '../../../src/entities/projects/client'
import { world } from '../../world'
import recorded from '../../wire/project.json'

describe('the project', () => {
  it('is what the platform sends, in local terms', () => {
    expect(v.parse(Project, fromWire(Project, recorded))).toEqual({
      id: recorded.id,
      displayName: 'Shop',
      config: {
        signUpEnabled: true,
        credentialEnabled: true,
        magicLinkEnabled: false,
        passkeyEnabled: false,
        clientTeamCreationEnabled: false,
        clientUserDeletionEnabled: true,
        allowUserApiKeys: false,
        allowTeamApiKeys: false,
        enabledOauthProviders: [{ id: 'github' }],
      },
    })
  })

  it('belongs to no session: signing out neither drops nor reloads it', async () => {
    const { app, clock, settled, requests } = await world()
    const seen: unknown[] = []
    app.project$.subscribe(project => seen.push(project.id))
    await clock.advance(0)
    await settled(app.signOut())
    await clock.advance(1000)
    expect(seen).toHaveLength(1)
    expect(requests.filter(line => line === 'GET /projects/current')).toHaveLength(1)
  })

  // Promise: calls-without-session
  it('is read without tokens', async () => {
    const { newApp, platform, tokensOf, settled } = await world()
    const sent: Headers[] = []
    const { fetch } = platform.options
    const app = newApp({
      tokens: await tokensOf({ email: 'ada@example.com' }),
      fetch: (input, init) => (sent.push(new Headers(init?.headers)), fetch(input, init)),
    })
    await settled(app.project$.get())
    expect(sent.map(headers => headers.has('x-stack-access-token'))).toEqual([false])
  })

  it('with an unknown id fails with the platform’s error', async () => {
    const { newApp, settled } = await world()
    const app = newApp({ projectId: '00000000-0000-4000-8000-000000000000' })
    await expect(settled(app.project$.get())).rejects.toMatchObject({ code: 'INVALID_PUBLISHABLE_CLIENT_KEY' })
    expect(app.project$.snapshot).toMatchObject({ status: 'failed', error: { code: 'INVALID_PUBLISHABLE_CLIENT_KEY' } })
  })
})
