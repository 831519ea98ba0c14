import project from '../../wire/project.json'
import { ada, expectPlain, wireWorld } from '../wire-world'

const seed = {
  project: {
    id: project.id,
    displayName: 'Shop',
    config: { clientUserDeletionEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] },
  },
  users: [ada],
}

describe('the project', () => {
  it.each(['client', 'server', 'admin'] as const)('reads the same with %s access', async access => {
    const { status, body } = await wireWorld({ seed }).ask('GET /projects/current', { access })
    expect([status, body]).toEqual([200, project])
  })

  it('names the trusted origins on the newer wire, which other kits check before they redirect', async () => {
    const domains = [{ domain: 'https://app.example.com', handlerPath: '/handler' }]
    const config = { ...seed.project.config, domains, allowLocalhost: false }
    const world = wireWorld({ wire: '2026', seed: { ...seed, project: { ...seed.project, config } } })
    const { body } = await world.ask('GET /projects/current')
    const trusted = {
      domains: [{ domain: 'https://app.example.com', handler_path: '/handler' }],
      allow_localhost: false,
    }
    expect(body).toEqual({ ...project, config: { ...project.config, ...trusted } })
    const april = wireWorld({ wire: '2.8.86', seed: { ...seed, project: { ...seed.project, config } } })
    expect((await april.ask('GET /projects/current')).body.config).not.toHaveProperty('allow_localhost')
  })
})

describe('the key set', () => {
  it('has one key, and only its public half', async () => {
    const world = wireWorld({ seed })
    const read = () => world.ask(`GET /projects/${project.id}/.well-known/jwks.json`, { access: null })
    const [{ body }, again] = await Promise.all([read(), read()])
    expect((body.keys as object[]).map(key => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'x', 'y'],
    ])
    expect(body.keys[0]).toMatchObject({
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      kid: expect.stringMatching(/^[\w-]{12}$/),
    })
    expect(again.body).toEqual(body)
  })

  it('is not found for an unknown project', async () => {
    expectPlain(await wireWorld().ask('GET /projects/nothing/.well-known/jwks.json', { access: null }), 404)
  })
})
